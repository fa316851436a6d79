import { Socket } from 'node:net';

/**
 * A socket that sends the writes of one tick together, when the running code and its microtasks are done. So statements
 * that are sent one after the other cost one system call instead of one each.
 */
export function batchingSocket(): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (...args: unknown[]) => Socket;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let held = false;
  const holdAndWrite = (...args: unknown[]): boolean => {
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
    socket.write = holdAndWrite;
    return socket;
  };
  return socket;
}
