/** Clients of the API in a thread of their own: they tell when each event reached each of them. */
import { parentPort, workerData } from 'node:worker_threads';
import { WebSocket } from 'ws';

const { address, token, clients, events } = workerData as {
  readonly address: string;
  readonly token: string;
  readonly clients: number;
  readonly events: number;
};
const arrivals: [seq: number, at: number][] = [];
const sockets = Array.from({ length: clients }, () => {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  socket.on('message', (data: Buffer) => {
    const { event, seq } = JSON.parse(data.toString()) as { readonly event: string; readonly seq: number };
    if (event === 'task:progress') arrivals.push([seq, performance.timeOrigin + performance.now()]);
    if (arrivals.length === clients * events) done();
  });
  return socket;
});
await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))));
parentPort?.postMessage('ready');

function done(): void {
  for (const socket of sockets) socket.close();
  parentPort?.postMessage(arrivals);
}
