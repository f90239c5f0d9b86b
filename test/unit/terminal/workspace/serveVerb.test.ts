/** `serve`: what it takes, what it says, and what is left of it when it is stopped. */
import { expect, it } from 'vitest';
import type { ApiServing } from '../../../../src/engine/workspace/workspace.ts';
import { failure } from '../../../../src/shared/errors.ts';
import type { TerminalDeps } from '../../../../src/terminal/screen/world.ts';
import { untilHolds } from '../../../support/time/untilHolds.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

/** A server that listens at once, and says what it was given. */
function server() {
  const given: ApiServing[] = [];
  const closed: number[] = [];
  const listening = Promise.withResolvers<void>();
  const serve = async (serving: ApiServing) => {
    given.push(serving);
    listening.resolve();
    const address = `127.0.0.1:${serving.port}`;
    return { url: `http://${address}`, events: `ws://${address}/e`, close: async () => void closed.push(serving.port) };
  };
  return { given, closed, listening: listening.promise, workspace: { api: { serve } } };
}

it('says where it listens and how to get the token, until Ctrl-C', async () => {
  const { given, closed, listening, workspace } = server();
  const world = await terminalWorld({ workspace });
  const done = world.run('serve', '--port', '81', '--allow-origin', 'https://example.org');
  await listening;
  await untilHolds(() => expect(world.out).toContain('Token:'));
  world.stop();
  expect(await done).toBe(0);
  expect(world.out).toContain('Listening on http://127.0.0.1:81');
  expect(world.out).toContain('autonomous serve --print-token');
  expect(world.out).not.toContain('secret');
  expect(given[0]).toMatchObject({ port: 81, origins: ['https://example.org'] });
  expect([closed, world.open]).toEqual([[81], 0]);
});

it('prints the same as JSON, and the token alone when it is asked for that', async () => {
  const { listening, workspace } = server();
  const world = await terminalWorld({ workspace, ownedElsewhere: true });
  const done = world.run('--json', 'serve');
  await listening;
  await untilHolds(() => expect(world.out).toContain('\n'));
  world.stop();
  await done;
  expect(JSON.parse(world.out)).toEqual({
    version: 1,
    url: 'http://127.0.0.1:8420',
    events: 'ws://127.0.0.1:8420/e',
    owner: false,
  });
  const other = await terminalWorld();
  expect(await other.run('serve', '--print-token')).toBe(0);
  expect(other.out).toBe('secret\n');
});

it('refuses what is no port and no origin, and says why a port cannot be had', async () => {
  const serve = async (): Promise<never> => {
    throw failure('INVALID_INPUT', 'port 8420 is in use by another program', { hint: 'Name another one.' });
  };
  const world = await terminalWorld({ workspace: { api: { serve } } });
  for (const words of [
    ['--port', '70000'],
    ['--port', 'x'],
    ['--allow-origin', '*'],
    ['--allow-origin', 'null'],
  ]) {
    expect([words, await world.run('serve', ...words)]).toEqual([words, 2]);
  }
  expect(await world.run('serve')).toBe(2);
  expect(world.err).toContain('port 8420 is in use by another program');
  expect(world.open).toBe(0);
});

it.each(['serve', 'mcp', 'acp'])('%s logs on stderr each job that it resumes', async (verb) => {
  const { listening, workspace } = server();
  const ready = Promise.withResolvers<void>();
  const stopped = (signal: AbortSignal): Promise<void> => {
    ready.resolve();
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  };
  const serveMcp: TerminalDeps['serveMcp'] = async (_, signal) => stopped(signal);
  const serveAcp: TerminalDeps['serveAcp'] = async ({ talk }, signal) => {
    await talk.open('/work');
    await stopped(signal);
  };
  const overrides = { serveMcp, serveAcp };
  const world = await terminalWorld({ workspace, overrides, script: { waitMs: 60_000 } });
  const engine = await world.workspace.open({ work: 'nothing' });
  const { jobId } = await engine.request('submitBrief', { brief: 'Build it' });
  await engine.close();
  const done = world.run(verb);
  await Promise.race([listening, ready.promise]);
  world.stop();
  expect(await done).toBe(0);
  expect(world.err).toMatch(new RegExp(`^autonomous: Resumed: job ${jobId} \\(\\w+\\): Build it$`, 'm'));
  expect(world.out).not.toContain('Resumed');
});
