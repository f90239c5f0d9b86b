/** Stop signals while a proxy accepts connections and never answers: the process ends by itself, and the job is paused. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { CRASH_BRIEF } from '../../support/crash/crashScenario.ts';
import { crashWorld, PATIENT_END, soon } from '../../support/crash/crashWorld.ts';
import { SHORT_LIVED, shortProcess } from '../../support/process/shortProcess.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const programs = await testPrograms(inject('tempRoot'));

/** Empty before the owner began. The check before filing uses the proxy too, and ends by itself. */
function logOf(stateDir: string): string {
  const folder = join(stateDir, 'events');
  const segments = existsSync(folder) ? readdirSync(folder) : [];
  return segments.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

async function silentProxy() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends a run whose proxy never answers, and pauses its job',
  async (signal) => {
    await using proxy = await silentProxy();
    await using world = await crashWorld(programs);
    const { configDir, runtimeDir, jobsDir, projectDir, stateDir } = world.places;
    const run = shortProcess(
      process.execPath,
      [
        ...SHORT_LIVED,
        ...PATIENT_END,
        fileURLToPath(programs.program('cli')),
        '--project-dir',
        projectDir,
        'run',
        '--no-setup',
        CRASH_BRIEF,
      ],
      {
        ...world.env,
        AUTONOMOUS_CONFIG_DIR: configDir,
        AUTONOMOUS_RUNTIME_DIR: runtimeDir,
        AUTONOMOUS_JOBS_DIR: jobsDir,
        ANTHROPIC_BASE_URL: 'https://model.invalid',
        HTTPS_PROXY: proxy.url,
        https_proxy: proxy.url,
      },
    );
    await soon('a call of the planner', () => logOf(stateDir).includes('"call_reserved"'));
    expect(proxy.sockets.size).toBeGreaterThan(0);
    run.kill(signal);
    expect(await run.exit).toMatchObject({ code: 0, signal: null });
    expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'paused' }]);
  },
);
