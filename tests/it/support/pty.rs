//! The program in a pseudo-terminal, whose bytes are parsed as a terminal does.

use std::io::{Read as _, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use touchmove_rules::{Color, Square};
use touchmove_tui::screen::Layout;

/// The time limit for the program to show something, on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// All output so far.
pub struct Output {
    pub terminal: vt100::Parser,
    pub bytes: Vec<u8>,
    pub is_closed: bool,
}

/// The reply of a terminal without special capabilities; every terminal answers the last query.
pub const PLAIN: &str = "\x1b[?62c";

/// The program in a terminal.
pub struct Window {
    pub output: Arc<(Mutex<Output>, Condvar)>,
    pub keyboard: Box<dyn Write + Send>,
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub size: (u16, u16),
}

/// The keyboard, which also carries the terminal's replies.
#[derive(Clone)]
struct Keyboard(Arc<Mutex<Box<dyn Write + Send>>>);

impl Write for Keyboard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the keyboard").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.lock().expect("the keyboard").flush()
    }
}

/// A folder for one test's settings and games.
pub struct Home(pub PathBuf);

impl Home {
    pub fn new(name: &str) -> Home {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Home(folder)
    }
}

pub fn some(length: u16) -> NonZero<u16> {
    NonZero::new(length).expect("a window has rows and columns")
}

impl Window {
    pub fn open(home: &Home, arguments: &[&str], variables: &[(&str, &str)]) -> Window {
        Window::answering(PLAIN, home, arguments, variables)
    }

    /// The program in a terminal that answers its queries in this way.
    pub fn answering(
        answers: &'static str,
        home: &Home,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Window {
        let (columns, rows) = (80, 24);
        let pty = native_pty_system()
            .openpty(PtySize {
                rows,
                cols: columns,
                pixel_width: 0,
                pixel_height: 0,
            })
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_touchmove"));
        command.args(arguments);
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("XDG_DATA_HOME", home.0.join("data"));
        command.env("XDG_CONFIG_HOME", home.0.join("config"));
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pty.slave.spawn_command(command).expect("the program");
        drop(pty.slave);
        let output = Output {
            terminal: vt100::Parser::new(some(rows), some(columns), 0),
            bytes: Vec::new(),
            is_closed: false,
        };
        let output = Arc::new((Mutex::new(output), Condvar::new()));
        let mut reader = pty.master.try_clone_reader().expect("its output");
        let shared = Arc::clone(&output);
        let keyboard = pty.master.take_writer().expect("its keyboard");
        let keyboard = Keyboard(Arc::new(Mutex::new(keyboard)));
        let mut answering = keyboard.clone();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            // The last bytes read, in case the query comes in two parts.
            let mut tail = Vec::new();
            loop {
                let count = reader.read(&mut chunk).unwrap_or(0);
                tail.extend_from_slice(&chunk[..count]);
                if tail.windows(3).any(|bytes| bytes == b"\x1b[c") {
                    // The program may have exited already.
                    let _ = answering.write_all(answers.as_bytes());
                }
                tail.drain(..tail.len().saturating_sub(2));
                let mut output = shared.0.lock().expect("the output");
                output.terminal.process(&chunk[..count]);
                output.bytes.extend_from_slice(&chunk[..count]);
                output.is_closed = count == 0;
                shared.1.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Window {
            output,
            keyboard: Box::new(keyboard),
            master: pty.master,
            child,
            size: (columns, rows),
        }
    }

    pub fn send(&mut self, keys: &str) -> &mut Window {
        self.keyboard.write_all(keys.as_bytes()).expect("keys");
        self.keyboard.flush().expect("keys");
        self
    }

    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&Output) -> bool) -> &mut Window {
        let (output, changed) = &*self.output;
        let guard = output.lock().expect("the output");
        let (guard, timeout) = changed
            .wait_timeout_while(guard, PATIENCE, |output| !holds(output))
            .expect("the output");
        let screen = guard.terminal.screen().contents();
        assert!(!timeout.timed_out(), "no {what} on the screen:\n{screen}");
        drop(guard);
        self
    }

    /// Waits until the screen shows a text, possibly wrapped beside the board, in a box or not.
    pub fn see(&mut self, text: &str) -> &mut Window {
        let panel = Layout::of(self.size.into()).map_or(0, |layout| layout.status.x);
        self.wait_until(text, |output| {
            let screen = output.terminal.screen();
            let is_ink = |sign: &char| !sign.is_whitespace() && *sign != '│';
            let squeezed = |text: &str| text.chars().filter(is_ink).collect::<String>();
            let beside: String = screen.rows(panel, u16::MAX).collect();
            screen.contents().contains(text) || squeezed(&beside).contains(&squeezed(text))
        })
    }

    /// Whether the screen shows a text now.
    pub fn shows(&self, text: &str) -> bool {
        let output = self.output.0.lock().expect("the output");
        output.terminal.screen().contents().contains(text)
    }

    /// Types a move and waits until it is in the move list.
    pub fn play(&mut self, text: &str, san: &str) -> &mut Window {
        self.send(&format!("{text}\r")).see(san)
    }

    pub fn resize(&mut self, columns: u16, rows: u16) -> &mut Window {
        self.size = (columns, rows);
        let mut output = self.output.0.lock().expect("the output");
        output
            .terminal
            .screen_mut()
            .set_size(some(rows), some(columns));
        drop(output);
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).expect("another size");
        self
    }

    /// Presses or releases the mouse over a square of White's board.
    pub fn mouse(&mut self, square: Square, mark: char) -> &mut Window {
        let layout = Layout::of(self.size.into()).expect("a layout");
        let cell = layout.board(Color::White).middle(square);
        self.send(&format!("\x1b[<0;{};{}{mark}", cell.x + 1, cell.y + 1))
    }

    pub fn click(&mut self, square: Square) -> &mut Window {
        self.mouse(square, 'M').mouse(square, 'm')
    }

    pub fn drag(&mut self, from: Square, to: Square) -> &mut Window {
        self.mouse(from, 'M').mouse(to, 'm')
    }

    /// Sends a signal to the program.
    pub fn signal(&mut self, signal: &str) -> &mut Window {
        let id = self.child.process_id().expect("a process").to_string();
        let status = std::process::Command::new("kill")
            .args([signal, &id])
            .status();
        assert!(status.expect("kill").success());
        self
    }

    /// Waits until the operating system reports the program as stopped.
    pub fn wait_until_stopped(&mut self) -> &mut Window {
        let id = self.child.process_id().expect("a process");
        let path = format!("/proc/{id}/stat");
        let begin = std::time::Instant::now();
        while begin.elapsed() < PATIENCE {
            // Where there is no such file, a short wait must do.
            let stat = std::fs::read_to_string(&path).unwrap_or_else(|_| ") T".to_owned());
            if stat.contains(") T") {
                return self;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the program does not stop");
    }

    pub fn see_closed(&mut self) -> &mut Window {
        self.wait_until("end", |output| output.is_closed)
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.output.0.lock().expect("the output").bytes.clone()
    }

    pub fn wrote(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.bytes()).contains(text)
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
