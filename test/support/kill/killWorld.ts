/**
 * A user's repository, a model's server that goes wrong now and then, and the shipped program as its headless owner: killed,
 * started again, and asked over its own socket for a job, a conversation and tasks at once. It keeps what it was told.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWorkspacePaths } from '../../../src/app/workspace/findWorkspacePaths.ts';
import type { WorkspacePaths } from '../../../src/engine/state/workspacePaths.ts';
import type { PlainFailure } from '../../../src/shared/errors.ts';
import type { Event } from '../../../src/shared/workspace/events.ts';
import { plainGit } from '../git/gitFixture.ts';
import { repliesKept } from '../invariants/money.ts';
import { type UserTree, userTree } from '../invariants/userTree.ts';
import { visitOwner } from '../process/ownerVisit.ts';
import { type MessagesServer, startMessagesServer } from '../provider/messagesServer.ts';
import type { Built } from '../suite/plantedBug.ts';
import { LONG } from '../suite/proof.ts';
import { KillDriver } from './killDriver.ts';
import { faultsOf } from './killFaults.ts';
import { KILLED_AT, type KillPoint, killFlags } from './killPoint.ts';
import { type KillProcess, killProcess, makeRepository, ownerEnv, type Tree } from './killProcess.ts';
import { KILL_WORK, type KillWork, PROJECT, SMALL_KILL_WORK } from './killWork.ts';

/** By us, from outside: when the client heard of so many events of these types, none: of any, and some time later. */
interface ToolResult {
  readonly at: 'told';
  readonly types: readonly string[];
  readonly nth: number;
  readonly ms: number;
}
export type Kill = KillPoint | ToolResult;

export interface Life {
  /** It came to the place that was meant; else it was killed when it had come to rest, or when it had long been silent. */
  readonly reached: boolean;
  /** Types of the events that it was killed at, where it was killed at events. */
  readonly at: readonly string[];
  /** From the start of the process to a client with the whole state. null: it did not live so long. */
  readonly upMs: number | null;
}

interface Done {
  /** 0: all was done. */
  readonly code: number | null;
  readonly upMs: number | null;
  readonly stderr: string;
  /** In words, if it was not. */
  readonly why: string;
}

/** Who hears nothing from an owner for so long waits no longer: it is killed. */
const SILENT_MS = 180_000;

export class KillWorld implements AsyncDisposable {
  readonly folder: string;
  readonly repo: string;
  readonly places: WorkspacePaths;
  readonly server: MessagesServer;
  readonly told: Event[] = [];
  readonly driver: KillDriver;
  /** Before anything of ours was there. */
  readonly before: UserTree;
  readonly tree: Tree;
  /** The job's files in the end. */
  readonly result: KillWork['result'];
  /** Ends of lives by a kill. */
  kills = 0;
  /** Rows that claimed to be under way when a new owner began. */
  readonly stuck: string[] = [];
  /** Of jobs that could not continue then. */
  readonly failures: PlainFailure[] = [];
  readonly problems: string[] = [];
  /** Requests for what a killed owner had the answer of. */
  readonly paidTwice: string[] = [];
  readonly #cli: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    cli: string,
    tree: Tree,
    places: WorkspacePaths,
    folder: string,
    server: MessagesServer,
    result: KillWork['result'],
  ) {
    this.#cli = cli;
    this.folder = folder;
    this.repo = places.projectDir;
    this.places = places;
    this.server = server;
    this.tree = tree;
    this.result = result;
    this.before = userTree(this.repo);
    this.driver = new KillDriver(tree === 'dirty' ? 'branch' : 'merge');
    this.#env = { ...ownerEnv(folder, places, server), TMPDIR: folder };
  }

  /** `faults`: one of so many requests goes wrong; 0: none. */
  static async open(programs: Built, tree: Tree, seed: number, faults: number): Promise<KillWorld> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'autonomous-kills-')));
    const repo = join(folder, 'repo');
    makeRepository(repo, tree);
    mkdirSync(join(folder, 'home'));
    const found = await findWorkspacePaths(repo, join(folder, 'jobs'));
    const places = { ...found, configDir: join(folder, 'config'), runtimeDir: join(folder, 'run') };
    const { scenario, result } = LONG ? KILL_WORK : SMALL_KILL_WORK;
    const server = await startMessagesServer({ scenario, faults: faultsOf(seed, faults) });
    return new KillWorld(fileURLToPath(programs.program('cli')), tree, places, folder, server, result);
  }

  /** One process until it is killed. */
  async live(kill: Kill): Promise<Life> {
    return this.#fromTheKept(() => this.#live(kill));
  }

  /** One process that nobody kills, until all is done; then it is stopped. */
  async finish(): Promise<Life> {
    const { code, upMs, why } = await this.untilDone([]);
    if (code !== 0) throw new Error(why);
    return { reached: true, at: [], upMs };
  }

  /** The same with words for Node, however it ends. */
  async untilDone(flags: readonly string[]): Promise<Done> {
    return this.#fromTheKept(() => this.#untilDone(flags));
  }

  /** Answers that are on the disk are not asked for again. */
  async #fromTheKept<T>(live: () => Promise<T>): Promise<T> {
    const kept = repliesKept(this.places.stateDir, PROJECT);
    const billed = this.server.bill.length;
    const life = await live();
    const again = this.server.bill.slice(billed).filter(({ id }) => kept.has(id));
    this.paidTwice.push(...again.map(({ id }) => `${id} was on the disk and was asked for again`));
    return life;
  }

  async #live(kill: Kill): Promise<Life> {
    const process = this.#serve(kill.at === 'told' ? [] : killFlags(kill));
    let [late, rested, upMs]: [boolean, boolean, number | null] = [false, false, null];
    const end = (): void => process.kill('SIGKILL');
    const begun = performance.now();
    const silence = setTimeout(() => {
      late = true;
      end();
    }, SILENT_MS);
    let left = kill.at === 'told' ? kill.nth : 0;
    const at: string[] = [];
    await visitOwner(process, this, {
      told: ({ type }) => {
        silence.refresh();
        if (kill.at !== 'told' || (kill.types.length > 0 && !kill.types.includes(type)) || --left !== 0) return;
        at.push(type);
        setTimeout(end, kill.ms);
      },
      look: (state) => {
        upMs ??= performance.now() - begun;
        if (rested || this.driver.open(state, this.places.stateDir).length > 0) return;
        rested = true;
        end();
      },
    });
    const exit = await process.exit;
    clearTimeout(silence);
    if (exit.signal !== 'SIGKILL') throw new Error(`it ended by itself with ${exit.code}: ${exit.stderr}`);
    this.kills++;
    const [, told] = exit.stderr.split(`${KILLED_AT} `);
    return { reached: !rested && !late, at: [...at, ...(told?.trim().split(' ') ?? [])], upMs };
  }

  async #untilDone(flags: readonly string[]): Promise<Done> {
    const process = this.#serve(flags);
    const begun = performance.now();
    let upMs: number | null = null;
    let open: readonly string[] = ['it was never reached'];
    const silence = setTimeout(() => process.kill('SIGKILL'), SILENT_MS);
    await visitOwner(process, this, {
      told: () => void silence.refresh(),
      failed: (failure) => void this.failures.push(failure),
      problem: (text) => void this.problems.push(text),
      look: (state) => {
        upMs ??= performance.now() - begun;
        if (open.length === 0) return;
        open = this.driver.open(state, this.places.stateDir);
        if (open.length === 0) process.kill('SIGTERM');
      },
    });
    const { code, signal, stderr } = await process.exit;
    clearTimeout(silence);
    return {
      code,
      upMs,
      stderr,
      why: `it did not come to its end, but to ${code ?? signal}: ${open.join(', ')} ${stderr}`,
    };
  }

  /** What a verb of the terminal prints as JSON; a warning of it is an error here. */
  async json(...words: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.#start([], words).exit;
    if (code !== 0 || stderr !== '') throw new Error(`${words.join(' ')}: ${code} ${stderr}`);
    return JSON.parse(stdout);
  }

  git(...args: string[]): string {
    return plainGit(this.repo, args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #serve(flags: readonly string[]): KillProcess {
    return this.#start(flags, ['serve', '--port', '0']);
  }

  #start(flags: readonly string[], words: readonly string[]): KillProcess {
    return killProcess([...flags, this.#cli, '--project-dir', this.repo, '--json', ...words], this.#env);
  }
}
