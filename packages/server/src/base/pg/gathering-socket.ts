import { Socket } from 'node:net';

/**
 * A socket whose writes of one tick leave together: what is held back goes out once the code that runs now, and all
 * that follows from it without waiting, is done. Statements that are sent one behind the other then cost one system
 * call, where each would cost its own.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (...args: unknown[]) => Socket;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let held = false;
  const gather = (...args: unknown[]): boolean => {
    if (!held) {
      held = true;
      socket.cork();
      process.nextTick(() => {
        held = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
  socket.connect = (...args: unknown[]): Socket => {
    connect(...args);
    // Connecting puts the socket's own `write` back in its place.
    socket.write = gather;
    return socket;
  };
  return socket;
}
