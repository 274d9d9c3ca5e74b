//! The terminal: taken over, and given back whatever happens.

use std::{
    panic,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError},
    },
    thread,
    time::Duration,
};

use anyhow::{Context as _, Result};
use ratatui::{
    DefaultTerminal,
    crossterm::event::{self, Event},
};
use unstuck_session::StateDir;

use super::{
    app::{App, Effect, Notice},
    effect, input,
    model::Snapshot,
    view::{self, Theme},
};

/// How long the screen has for an orderly end.
const GRACE: Duration = Duration::from_secs(1);

/// The code of what a signal has ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// How long keys are waited for before anything else is looked at.
const TICK: Duration = Duration::from_millis(100);

/// The name of the thread that reads files.
const READER: &str = "reader";

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Quit,
    /// A signal asked for it.
    Stopped,
}

/// Where the thread that reads files puts what it saw.
pub(crate) struct Feed {
    snapshots: SyncSender<Snapshot>,
    wake: Receiver<()>,
    interval: Duration,
}

/// Whether the screen is still shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    There,
    Gone,
}

impl Feed {
    /// Shows something that is not all yet, if it can be shown at once.
    pub(crate) fn meanwhile(&self, snapshot: Snapshot) {
        let _ = self.snapshots.try_send(snapshot);
    }

    /// Shows what was seen, and waits until it is time to look again.
    pub(crate) fn show(&self, snapshot: Snapshot) -> Audience {
        if self.snapshots.send(snapshot).is_err() {
            return Audience::Gone;
        }
        match self.wake.recv_timeout(self.interval) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => Audience::There,
            Err(RecvTimeoutError::Disconnected) => Audience::Gone,
        }
    }
}

/// Shows what `read` sees until the person quits. It runs in a thread of its own, so that keys never wait for files, and
/// ends with the process.
pub(crate) fn interact(
    home: &StateDir,
    interval: Duration,
    read: impl FnOnce(Feed) + Send + 'static,
) -> Result<End> {
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    ctrlc::set_handler(move || end(&stop)).context("cannot listen for signals")?;
    let (sender, snapshots) = mpsc::sync_channel(1);
    let (wake, woken) = mpsc::channel();
    let feed = Feed {
        snapshots: sender,
        wake: woken,
        interval,
    };
    let mut screen = Screen::take()?;
    thread::Builder::new()
        .name(READER.to_owned())
        .spawn(move || read(feed))
        .context("cannot start a thread")?;
    let mut session = Session {
        app: App::default(),
        home,
        snapshots,
        wake,
    };
    session.run(&mut screen.terminal, &stopped)
}

/// Ends what a signal wants ended. Where the terminal is gone, waiting for keys never returns, so after a while it is
/// not asked any more.
#[expect(
    clippy::exit,
    reason = "nothing else can end a process that waits for ever"
)]
fn end(stopped: &AtomicBool) {
    stopped.store(true, Ordering::Relaxed);
    thread::sleep(GRACE);
    ratatui::restore();
    std::process::exit(INTERRUPTED.into())
}

/// The terminal while it is ours.
struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    fn take() -> Result<Self> {
        // It is given back on a panic as well: the hook is ratatui's.
        let terminal = ratatui::try_init().context("cannot take over the terminal")?;
        let restore = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            // Without its reader the screen is old, but it is there; that it is old is said on it.
            if thread::current().name() != Some(READER) {
                restore(panic);
            }
        }));
        Ok(Self { terminal })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

struct Session<'a> {
    app: App,
    home: &'a StateDir,
    snapshots: Receiver<Snapshot>,
    wake: Sender<()>,
}

impl Session<'_> {
    fn run(&mut self, terminal: &mut DefaultTerminal, stopped: &AtomicBool) -> Result<End> {
        let theme = Theme::of_environment();
        self.app.snapshot.unread = 1;
        let mut is_old = true;
        while !stopped.load(Ordering::Relaxed) {
            is_old |= self.take_snapshots();
            if is_old {
                let mut from = None;
                terminal.draw(|frame| from = view::draw(frame, &self.app, theme))?;
                self.app.scrolled(from);
            }
            is_old = event::poll(TICK)?;
            if !is_old {
                continue;
            }
            if let Event::Key(key) = event::read()?
                && let Some(action) = input::action(key, &self.app.overlay)
                && let Some(effect) = self.app.apply(action)
            {
                if effect == Effect::Quit {
                    return Ok(End::Quit);
                }
                self.app.notice = effect::carry_out(&effect, self.home);
                // A reader that is gone has said so itself.
                let _ = self.wake.send(());
            }
        }
        Ok(End::Stopped)
    }

    /// Takes what has been read. Is there anything new to be shown?
    fn take_snapshots(&mut self) -> bool {
        let mut news = false;
        loop {
            match self.snapshots.try_recv() {
                Ok(snapshot) => {
                    self.app.update(snapshot);
                    news = true;
                }
                Err(TryRecvError::Empty) => return news,
                Err(TryRecvError::Disconnected) => {
                    let problem = Notice::Problem(
                        "unstuck itself failed while reading, and what is shown is old; please report it"
                            .to_owned(),
                    );
                    let is_new = self.app.notice.as_ref() != Some(&problem);
                    self.app.notice = Some(problem);
                    return news || is_new;
                }
            }
        }
    }
}
