/** The outside world for the terminal: this process's streams, signals and environment, and the engine behind them. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../adapters/clock.ts';
import { namedFile } from '../adapters/namedFile.ts';
import { leaveOut } from '../adapters/shell/searchPath.ts';
import { problemText } from '../core/problemText.ts';
import type { SandboxState } from '../engine/commandPorts.ts';
import type { Clock } from '../shared/clock.ts';
import type { OwnerWork, Talk, TerminalDeps, TerminalIo } from '../terminal/deps.ts';
import type { Credentials } from './models.ts';
import type { OwnerOptions } from './ownerOptions.ts';
import { findPlaces, type Places } from './places.ts';
import { stopSignals } from './stopSignals.ts';

const { env, stdin, stdout, stderr } = process;

function terminalIo(): TerminalIo {
  const isTTY = stdout.isTTY === true && env['TERM'] !== 'dumb';
  return {
    out: (data) => void stdout.write(data),
    err: (data) => void stderr.write(data),
    isTTY,
    stdinIsTTY: stdin.isTTY === true,
    get columns() {
      // A terminal that knows no size says 0.
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    color: isTTY && (env['NO_COLOR'] ?? '') === '',
    ask,
    talk,
    readStdin: () => text(stdin),
    readFile: namedFile,
    writeFile: (path, data) => writeFile(path, data),
    edit,
  };
}

async function ask(question: string, signal: AbortSignal): Promise<string | null> {
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    // Readline takes Ctrl-C for itself: it is the run's to hear.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const ended = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}

/** What others say is written where the typed line stands, which is drawn again below. */
function talk(prompt: string, interrupted: () => boolean): Talk {
  const lines = createInterface({ input: stdin, output: stdout, prompt });
  lines.on('SIGINT', () => {
    if (!interrupted()) process.kill(process.pid, 'SIGINT');
  });
  const arrived: string[] = [];
  let wanted: ((line: string | null) => void) | null = null;
  let ended = false;
  const give = (line: string | null): void => {
    const to = wanted;
    wanted = null;
    if (to !== null) to(line);
    else if (line !== null) arrived.push(line);
  };
  lines.on('line', give);
  lines.on('close', () => {
    ended = true;
    give(null);
  });
  return {
    next: () => {
      const line = arrived.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended) return Promise.resolve(null);
      lines.prompt();
      return new Promise((resolve) => {
        wanted = resolve;
      });
    },
    say: (content) => {
      if (ended) return;
      moveCursor(stdout, 0, -lines.getCursorPos().rows);
      cursorTo(stdout, 0);
      clearScreenDown(stdout);
      stdout.write(`${content}\n`);
      // Readline goes up by the rows that it drew last: they are gone.
      Object.assign(lines, { prevRows: 0 });
      lines.prompt(true);
    },
    close: () => lines.close(),
  };
}

/** In the editor that git users have named, on a file of its own. */
async function edit(content: string, name: string): Promise<string | null> {
  const editor = env['VISUAL'] ?? env['EDITOR'];
  if (editor === undefined || editor === '' || stdin.isTTY !== true) return null;
  const folder = await mkdtemp(join(tmpdir(), 'autonomous-edit-'));
  const file = join(folder, name);
  try {
    await writeFile(file, content);
    const child = spawn(`${editor} "$1"`, ['editor', file], { shell: '/bin/sh', stdio: 'inherit' });
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve));
    return code === 0 ? await readFile(file, 'utf8') : null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const WASM = fileURLToPath(new URL('./sql-wasm.wasm', import.meta.url));

/** From here on this process starts nothing that lies in there. */
async function placesOf(folder: string, jobsDir: string | null): Promise<Places> {
  const places = await findPlaces(folder, jobsDir);
  leaveOut([places.projectDir]);
  return places;
}

async function credentials(): Promise<Credentials> {
  const { proxiedFetch } = await import('../adapters/gateway/envProxy.ts');
  return {
    key: () => env['ANTHROPIC_API_KEY'] ?? null,
    baseUrl: env['ANTHROPIC_BASE_URL'] ?? null,
    proxy: proxiedFetch(env),
  };
}

/** What a process of the terminal is if it becomes the owner. */
function ownerOf(version: string, clock: Clock) {
  return async (folder: string, jobsDir: string | null, work: OwnerWork): Promise<OwnerOptions> => ({
    places: await placesOf(folder, jobsDir ?? env['AUTONOMOUS_JOBS_DIR'] ?? null),
    clock,
    version,
    env,
    credentials: await credentials(),
    workerScript: new URL('./worker.js', import.meta.url),
    wasmFile: WASM,
    work: work !== 'nothing',
    resumes: work === 'all',
    delayMs: env['AUTONOMOUS_SIMULATED_DELAY_MS'] === undefined ? null : Number(env['AUTONOMOUS_SIMULATED_DELAY_MS']),
  });
}

export function terminalDeps(version: string): TerminalDeps {
  const clock = systemClock();
  const viewer = async (folder: string) => ({ places: await placesOf(folder, null), clock, wasmFile: WASM, env });
  const owner = ownerOf(version, clock);
  return {
    io: terminalIo(),
    env,
    cwd: process.cwd(),
    clock,
    version,
    signals: stopSignals(clock),
    readState: async (folder) => {
      const [{ lookAtBoard }, { lookAtWork }] = await Promise.all([import('./boardState.ts'), import('./atWork.ts')]);
      const options = await viewer(folder);
      const store = await lookAtBoard(options);
      const looked = await lookAtWork(options, store.state);
      return { state: store.state, problems: store.problems.map(problemText), ...looked };
    },
    checkFirstBrief: async (folder, input) =>
      (await import('./filing.ts')).checkFirstBrief(await viewer(folder), await credentials(), input),
    openEngine: async (folder, { jobsDir, work, allowedHosts = [] }) => {
      const { openEngine } = await import('./engine.ts');
      return openEngine({ ...(await owner(folder, jobsDir, work)), allowedHosts: () => allowedHosts });
    },
    agents: async (folder, options) => {
      const { listedAgents } = await import('./listedAgents.ts');
      return listedAgents(await viewer(folder), { ...options, version });
    },
    diagnose: async (folder) => {
      const { diagnoseAll, keyOf } = await import('./doctor.ts');
      const filed = { provider: 'anthropic', credentials: await credentials() } as const;
      return diagnoseAll(await viewer(folder), keyOf(env), filed);
    },
    restoreState: async (folder) => {
      const { restoreState } = await import('./restoreState.ts');
      return restoreState(await owner(folder, null, 'nothing'));
    },
    preview: async (folder, jobId) => {
      const { previewJob } = await import('./readOnly.ts');
      return previewJob(await viewer(folder), jobId);
    },
    dryRun: async (folder, input, signal) => {
      const { dryRun } = await import('./dryRun.ts');
      return dryRun(await owner(folder, null, 'asked'), input, signal);
    },
    jobDiff: async (folder, jobId) => {
      const { jobDiff } = await import('./readOnly.ts');
      return jobDiff(await viewer(folder), jobId);
    },
    previewCleanUp: async (folder, jobsDir, maxBytes) => {
      const { previewCleanUp } = await import('./clones.ts');
      const { places } = await owner(folder, jobsDir, 'nothing');
      return previewCleanUp({ ...(await viewer(folder)), places }, maxBytes ?? undefined);
    },
    exportRecord: async (folder, target, jobId) => {
      const { exportRecord } = await import('./exportRecord.ts');
      return exportRecord(await viewer(folder), target, jobId);
    },
    keptAttempts: async (folder) => {
      const { keptList } = await import('./attempts.ts');
      return keptList(await viewer(folder));
    },
    restoreAttempt: async (folder, attempt, as) => {
      const { restoreAttempt } = await import('./attempts.ts');
      return restoreAttempt(await viewer(folder), attempt, as);
    },
    transcript: async (folder, sessionId) => {
      const { transcriptText } = await import('./transcriptText.ts');
      return transcriptText((await viewer(folder)).places, sessionId);
    },
    artifact: async (folder, name) => {
      const [{ openArtifacts }, { nodeFiles }] = await Promise.all([
        import('../adapters/artifacts.ts'),
        import('../adapters/files.ts'),
      ]);
      return openArtifacts((await viewer(folder)).places.stateDir, nodeFiles).get(name);
    },
    foundProjects: async (folder, state) => {
      const { foundProjects } = await import('./definitions.ts');
      return foundProjects((await viewer(folder)).places, state);
    },
    templates: async (folder) => {
      const { projectTemplates } = await import('./definitions.ts');
      return projectTemplates((await viewer(folder)).places);
    },
    projectMemory: async (folder, project, path) => {
      const { readProjectMemory } = await import('./projectMemory.ts');
      return readProjectMemory((await viewer(folder)).places.stateDir, project, path);
    },
    taskTexts: async (folder) => {
      const { taskTexts } = await import('./taskTexts.ts');
      return taskTexts((await viewer(folder)).places, clock);
    },
    serveMcp: async (serving, signal) => {
      const { serveTools } = await import('./mcp.ts');
      return serveTools({ ...serving, version, clock, input: stdin, output: stdout }, signal);
    },
    serveAcp: async (serving, signal) => {
      const { serveProject } = await import('./acpServer.ts');
      return serveProject({ ...serving, version, input: stdin, output: stdout }, signal);
    },
    serveApi: async (folder, serving) => {
      const { serveTasks } = await import('./serve.ts');
      return serveTasks((await viewer(folder)).places, { ...serving, version, clock, keeps: true });
    },
    apiToken: async (folder) => {
      const { apiToken } = await import('./serve.ts');
      return apiToken((await viewer(folder)).places);
    },
    makeDemo: async () => {
      const { makeDemo } = await import('./demo.ts');
      return makeDemo();
    },
    sandbox: () => sandboxState(clock),
  };
}

async function sandboxState(clock: Clock): Promise<SandboxState> {
  const { createCommandRunner } = await import('../adapters/shell/commandRunner.ts');
  const runner = createCommandRunner({ clock });
  try {
    return await runner.sandbox();
  } finally {
    await runner.close();
  }
}
