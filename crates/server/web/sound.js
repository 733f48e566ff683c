// Sounds, synthesised here. Browsers allow them only after a click or a key press on the page.

import { storage } from './storage.js';

let audioContext = null;
let isOn = storage.get('sound', true);
let hasInteracted = false;

for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => { hasInteracted = true; }, { once: true, capture: true });

/** Whether sounds are turned on. */
export const isSoundOn = () => isOn;

/** Turns sounds on or off. */
export function setSoundOn(value) {
  isOn = value;
  storage.set('sound', value);
}

/** A tone: start and length in seconds. */
function playTone(frequency, start, length, volume, waveform = 'sine') {
  const time = audioContext.currentTime + start;
  const oscillator = audioContext.createOscillator();
  const gain = audioContext.createGain();
  oscillator.type = waveform;
  oscillator.frequency.setValueAtTime(frequency, time);
  oscillator.frequency.exponentialRampToValueAtTime(Math.max(40, frequency * 0.6), time + length);
  gain.gain.setValueAtTime(volume, time);
  gain.gain.exponentialRampToValueAtTime(0.0001, time + length);
  oscillator.connect(gain).connect(audioContext.destination);
  oscillator.start(time);
  oscillator.stop(time + length);
}

/** Noise that fades away. */
function playExplosion() {
  const length = 0.7;
  const buffer = audioContext.createBuffer(1, audioContext.sampleRate * length, audioContext.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length) ** 3;
  const source = audioContext.createBufferSource();
  const filter = audioContext.createBiquadFilter();
  filter.type = 'lowpass';
  filter.frequency.value = 420;
  source.buffer = buffer;
  source.connect(filter).connect(audioContext.destination);
  source.start();
}

const SOUNDS = {
  move: () => playTone(520, 0, 0.07, 0.25, 'triangle'),
  capture: () => { playTone(330, 0, 0.09, 0.35, 'triangle'); playTone(190, 0.03, 0.09, 0.3, 'triangle'); },
  check: () => { playTone(660, 0, 0.09, 0.25, 'triangle'); playTone(880, 0.09, 0.12, 0.25, 'triangle'); },
  explosion: () => playExplosion(),
  refusal: () => playTone(150, 0, 0.16, 0.22, 'square'),
  end: () => { playTone(523, 0, 0.25, 0.2); playTone(659, 0.16, 0.25, 0.2); playTone(784, 0.32, 0.45, 0.2); },
};

/** Plays a sound, if sounds are on and allowed. */
export function playSound(name) {
  if (!isOn || !hasInteracted) return;
  try {
    audioContext ??= new AudioContext();
    if (audioContext.state === 'suspended') audioContext.resume();
    SOUNDS[name]();
  } catch { /* a browser without sound plays on */ }
}
