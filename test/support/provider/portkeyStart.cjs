/** Loaded before Portkey's program: it listens on a free port of the loopback address, which the parent process receives. */
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function onLoopback(...args) {
  const callback = args.findLast((one) => typeof one === 'function');
  this.once('listening', () => process.send(this.address().port));
  return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
};

// A defect of 1.15.2: it adds a header to the answer of fetch, whose headers cannot change, so that each stream fails with 500.
const { fetch } = globalThis;
globalThis.fetch = async (...args) => {
  const { body, status, headers } = await fetch(...args);
  return new Response(body, { status, headers });
};
