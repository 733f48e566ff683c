// Sounds, made here with a few tones. They are off until somebody has touched the page and wants them.

import { storage } from './storage.js';

let context = null;
let isOn = storage.get('sound', true);
let isTouched = false;

for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => { isTouched = true; }, { once: true, capture: true });

/** Whether sounds are wanted. */
export const soundIsOn = () => isOn;

/** Turns sounds on or off. */
export function setSound(wanted) {
  isOn = wanted;
  storage.set('sound', wanted);
}

function tone(frequency, start, length, volume, kind = 'sine') {
  const at = context.currentTime + start;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = kind;
  oscillator.frequency.setValueAtTime(frequency, at);
  oscillator.frequency.exponentialRampToValueAtTime(Math.max(40, frequency * 0.6), at + length);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function rumble() {
  const length = 0.7;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  filter.type = 'lowpass';
  filter.frequency.value = 420;
  source.buffer = buffer;
  source.connect(filter).connect(context.destination);
  source.start();
}

const SOUNDS = {
  move: () => tone(520, 0, 0.07, 0.25, 'triangle'),
  capture: () => { tone(330, 0, 0.09, 0.35, 'triangle'); tone(190, 0.03, 0.09, 0.3, 'triangle'); },
  check: () => { tone(660, 0, 0.09, 0.25, 'triangle'); tone(880, 0.09, 0.12, 0.25, 'triangle'); },
  blast: () => rumble(),
  refuse: () => tone(150, 0, 0.16, 0.22, 'square'),
  end: () => { tone(523, 0, 0.25, 0.2); tone(659, 0.16, 0.25, 0.2); tone(784, 0.32, 0.45, 0.2); },
  low: () => tone(980, 0, 0.05, 0.15, 'square'),
};

/** Makes a sound, if that is wanted. */
export function sound(name) {
  if (!isOn || !isTouched) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') context.resume();
    SOUNDS[name]?.();
  } catch { /* a browser without sound plays on */ }
}
