/** Prints the command line of the sandbox on macOS, from a faked platform: `seatbelt.ts LOCAL-PORT|none`. */
Object.defineProperty(process, 'platform', { value: 'darwin' });
const { wrapInSandbox } = await import('../../../src/adapters/shell/sandbox/sandboxRuntime.ts');

const [port = 'none'] = process.argv.slice(2);
const policy = {
  writable: ['/Users/ann/.autonomous/jobs/1/tree', '/Users/ann/.autonomous/private/run/0'],
  readable: ['/Users/ann/.nvm/versions'],
  denyRead: ['/Users/ann', '/Users/ann/Library/Keychains', '/Users/ann/.autonomous/jobs/1/tree/.env'],
  hosts: [],
  local: port === 'none' ? null : { port: Number(port), socket: '', close: () => undefined },
  run: '/Users/ann/.autonomous/private/run/0',
};
const tools = { bwrap: '', socat: '', ripgrep: '/usr/local/bin/rg' };
const { argv } = await wrapInSandbox(tools, policy, 'echo "it\'s done"', new AbortController().signal);
process.stdout.write(JSON.stringify(argv));
