import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ShellGround, shellGround } from '../../support/shell.ts';

let ground: ShellGround;
let registry: Server;
let other: Server;
let confined = false;
let asked = 0;

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
const port = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

beforeAll(async () => {
  registry = createServer((_request, response) => response.end('a package'));
  other = createServer((_request, response) => {
    asked++;
    response.end('not yours');
  });
  await Promise.all([listen(registry), listen(other)]);
  ground = shellGround({
    environment: { ...process.env, npm_config_registry: `http://token:x@127.0.0.1:${port(registry)}/` },
  });
  confined = (await ground.runner.sandbox()).mode === 'sandboxed';
});
afterAll(async () => {
  registry.close();
  other.close();
  await ground.close();
});
beforeEach(({ skip }) => skip(!confined, 'no sandbox on this machine'));

/** By the proxy only: there is nothing else to leave by. */
const fetchBy = (url: string): string => `curl -sS -m 5 --noproxy '' -f ${url}`;

it('reaches the registry of the user and no other host, and only when asked for', async () => {
  const network = 'registries';
  const own = await ground.run(`echo "$npm_config_registry"; ${fetchBy('"$npm_config_registry"')}`, { network });
  expect(own).toMatchObject({ exitCode: 0, output: `http://127.0.0.1:${port(registry)}/\na package` });
  expect((await ground.run(fetchBy(`http://127.0.0.1:${port(other)}/`), { network })).exitCode).not.toBe(0);
  expect(
    (await ground.run(`curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port(registry)}/`, { network })).exitCode,
  ).not.toBe(0);
  const without = await ground.run(`env | grep -i proxy; ${fetchBy(`http://127.0.0.1:${port(registry)}/`)}`);
  expect(without.exitCode).not.toBe(0);
  expect(without.output).not.toMatch(/_proxy=/i);
  expect(asked).toBe(0);
});

it('gives a command without network nothing while another has it', async () => {
  const network = 'registries';
  const slow = ground.run('sleep 0.5', { network });
  const beside = await ground.run(fetchBy(`-x "$HTTP_PROXY" http://127.0.0.1:${port(registry)}/`));
  expect(beside.exitCode).not.toBe(0);
  expect(beside.output).not.toContain('a package');
  await slow;
});
