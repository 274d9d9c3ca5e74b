//! One connection to one server.

use std::{
    io::{self, BufReader, Read, Write as _},
    net::{TcpStream, ToSocketAddrs as _},
    time::{Duration, Instant},
};

#[cfg(unix)]
use std::os::unix::net::UnixStream;

use crate::{
    address::{Address, Place},
    resp::{Reply, read_reply, write_command},
};

/// A connection that answers commands in order. After an error it is of no further use.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: BufReader<Timed>,
}

/// A socket whose reads end at a moment.
#[derive(Debug)]
struct Timed {
    socket: Socket,
    until: Instant,
    /// The timeout that the socket has.
    timeout: Duration,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Connection {
    /// Connects and signs in.
    pub(crate) fn open(place: &Place, address: &Address, until: Instant) -> io::Result<Self> {
        let socket = Socket::connect(place, until)?;
        let timed = Timed {
            socket,
            until,
            timeout: Duration::ZERO,
        };
        let mut connection = Self {
            stream: BufReader::with_capacity(4 << 10, timed),
        };
        let mut request = Vec::new();
        let mut replies = 0;
        if let Some(password) = &address.password {
            let mut words: Vec<&[u8]> = vec![b"AUTH"];
            words.extend(address.user.as_deref().map(str::as_bytes));
            words.push(password.as_bytes());
            write_command(&mut request, &words);
            replies += 1;
        }
        if address.database != 0 {
            let database = address.database.to_string();
            write_command(&mut request, &[b"SELECT", database.as_bytes()]);
            replies += 1;
        }
        if replies > 0 {
            connection.send(&request, until)?;
        }
        for _ in 0..replies {
            if let Reply::Error(error) = connection.receive()? {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, error));
            }
        }
        Ok(connection)
    }

    /// Sends commands, whose replies are received until a moment.
    pub(crate) fn send(&mut self, request: &[u8], until: Instant) -> io::Result<()> {
        let timed = self.stream.get_mut();
        timed.until = until;
        match &mut timed.socket {
            Socket::Tcp(socket) => socket.write_all(request),
            #[cfg(unix)]
            Socket::Unix(socket) => socket.write_all(request),
        }
    }

    /// Receives the reply to the oldest command without one.
    pub(crate) fn receive(&mut self) -> io::Result<Reply> {
        read_reply(&mut self.stream)
    }
}

impl Socket {
    fn connect(place: &Place, until: Instant) -> io::Result<Self> {
        match place {
            Place::Tcp(host, port) => {
                let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
                for address in (host.as_str(), *port).to_socket_addrs()? {
                    match TcpStream::connect_timeout(&address, left(until)?) {
                        Ok(socket) => {
                            socket.set_nodelay(true)?;
                            // A request is small, so it waits only for a server that reads nothing at all.
                            socket.set_write_timeout(Some(left(until)?))?;
                            return Ok(Self::Tcp(socket));
                        }
                        Err(error) => last = error,
                    }
                }
                Err(last)
            }
            #[cfg(unix)]
            Place::Unix(path) => {
                let socket = UnixStream::connect(path)?;
                socket.set_write_timeout(Some(left(until)?))?;
                Ok(Self::Unix(socket))
            }
            #[cfg(not(unix))]
            Place::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

impl Read for Timed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // In whole milliseconds, so that it is seldom set again.
        let left = left(self.until)?;
        let timeout = Duration::from_millis(left.as_millis() as u64 + 1);
        let is_set = timeout == self.timeout;
        self.timeout = timeout;
        match &mut self.socket {
            Socket::Tcp(socket) => {
                if !is_set {
                    socket.set_read_timeout(Some(timeout))?;
                }
                socket.read(bytes)
            }
            #[cfg(unix)]
            Socket::Unix(socket) => {
                if !is_set {
                    socket.set_read_timeout(Some(timeout))?;
                }
                socket.read(bytes)
            }
        }
    }
}

/// The time until a moment, or an error if it has passed.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(left)
}
