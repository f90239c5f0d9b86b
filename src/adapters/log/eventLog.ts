/** Implements `EventLog` over the files of `.autonomous/events` and `.autonomous/epoch`. */
import { join } from 'node:path';
import type { Claimant } from '../../engine/state/claimPorts.ts';
import { diskFailure } from '../../engine/state/filePorts.ts';
import type {
  AppendFile,
  EventLog,
  FileOps,
  LineSeal,
  LogContent,
  LogOrigin,
  LogPoint,
  Problem,
} from '../../engine/state/storePorts.ts';
import { failure } from '../../shared/errors.ts';
import type { Event } from '../../shared/workspace/events.ts';
import { type Chain, cutAt, walk } from './chain.ts';
import { checkEpoch, claimEpoch, highestClaim, releaseEpoch } from './epoch.ts';
import { lastCommitted, sealLast } from './lastCommitted.ts';
import { unsealed } from './seal.ts';
import {
  LOG_VERSION,
  NOTHING,
  parseSegment,
  type Segment,
  type SegmentName,
  sealEvent,
  sealHeader,
  segmentFile,
  segmentNames,
  UNFINISHED,
} from './segment.ts';
import { checkStateDir, makeStateDir } from './stateDir.ts';

const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Segments end soon after `SEGMENT_BYTES`; a larger file was not written by this program. */
const READABLE_BYTES = 256 * 1024 * 1024;

export interface EventLogOptions {
  readonly stateDir: string;
  readonly ops: FileOps;
  /** Null if this installation has no key yet, so no log can be its own. */
  readonly seal: LineSeal | null;
  /** Size after which the next append starts a new segment. */
  readonly segmentBytes?: number;
  /**
   * Writes the owner into claims and checks whether the last owner has ended. Without it, claims are empty and
   * unchecked.
   */
  readonly claimant?: Claimant;
  /**
   * For another process's log: the last event that its owner has committed. Later lines may still become void. Absent
   * or null: every line counts.
   */
  readonly committed?: number | null;
}

/** Throws STATE_SYMLINK if the state folder is a link. Nothing is written before `claim`. */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  await checkStateDir(options.stateDir, options.ops);
  return new SegmentedLog(options);
}

interface Walked {
  readonly chain: Chain;
  readonly loaded: readonly Segment[];
}

interface OpenSegment {
  readonly path: string;
  readonly file: AppendFile;
  readonly name: SegmentName;
  mac: string;
  bytes: number;
}

class SegmentedLog implements EventLog {
  readonly #ops: FileOps;
  readonly #seal: LineSeal | null;
  readonly #segmentBytes: number;
  readonly #stateDir: string;
  readonly #events: string;
  readonly #epochs: string;
  readonly #claimant: Claimant | undefined;
  readonly #committed: number | null;
  /** Segments already read, back to `seq`: they only grow. */
  readonly #parsed = new Map<string, { readonly size: number; readonly seq: number; readonly segment: Segment }>();
  #epoch = 0;
  #n = 0;
  #open: OpenSegment | null = null;
  #lost: Error | null = null;
  /** Number of the last event appended by this process. */
  #last = 0;

  constructor({ stateDir, ops, seal, segmentBytes = SEGMENT_BYTES, claimant, committed = null }: EventLogOptions) {
    this.#ops = ops;
    this.#seal = seal;
    this.#segmentBytes = segmentBytes;
    this.#stateDir = stateDir;
    this.#events = join(stateDir, 'events');
    this.#epochs = join(stateDir, 'epoch');
    this.#claimant = claimant;
    this.#committed = committed;
  }

  async #names(): Promise<SegmentName[]> {
    return segmentNames(await this.#ops.list(this.#events));
  }

  async size(): Promise<number> {
    const names = await this.#names();
    const stats = await Promise.all(names.map(({ file }) => this.#ops.stat(join(this.#events, file))));
    return stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0);
  }

  async #load(name: SegmentName, seal: Pick<LineSeal, 'check'>, seq: number): Promise<Segment> {
    const path = join(this.#events, name.file);
    const stat = await this.#ops.stat(path);
    const readable = stat?.kind === 'file' && stat.size <= READABLE_BYTES;
    const known = this.#parsed.get(name.file);
    if (readable && seal === this.#seal && known?.size === stat.size && known.seq <= seq) return known.segment;
    const bytes = readable ? await this.#ops.read(path) : null;
    if (bytes === null) {
      const problem = {
        file: name.file,
        line: null,
        what: readable ? 'it was deleted' : 'not a file that can be read',
      };
      return { ...parseSegment(name, new Uint8Array(), seal), problems: [problem] };
    }
    const segment = parseSegment(name, bytes, seal, seq);
    if (seal === this.#seal) this.#parsed.set(name.file, { size: bytes.length, seq, segment });
    return segment;
  }

  async #walk(names: readonly SegmentName[], seal: Pick<LineSeal, 'check'>, after: LogPoint | null): Promise<Walked> {
    const loaded = new Map<string, Segment>();
    const load = async (name: SegmentName) => {
      const segment = loaded.get(name.file) ?? (await this.#load(name, seal, after?.seq ?? 0));
      loaded.set(name.file, segment);
      return segment;
    };
    return { chain: await walk(names, load, after), loaded: [...loaded.values()] };
  }

  async read(after: LogPoint | null): Promise<LogContent> {
    try {
      return await this.#read(after);
    } catch (thrown) {
      throw diskFailure(thrown, this.#events);
    }
  }

  async #read(after: LogPoint | null): Promise<LogContent> {
    const names = await this.#names();
    const own = await this.#walk(names, this.#seal ?? { check: () => null }, after);
    if (own.chain.links.length > 0) return this.#content(own, 'own');
    if (!own.loaded.some((segment) => segment.refused)) return this.#content(own, 'empty');
    const other = await this.#walk(names, unsealed, null);
    return this.#content(other, 'foreign');
  }

  #content({ chain, loaded }: Walked, origin: LogOrigin): LogContent {
    return this.#committed === null
      ? content(chain, loaded, origin, 'whole')
      : content(cutAt(chain, this.#committed), loaded, origin, 'growing');
  }

  async lastClaimed(): Promise<number> {
    if (this.#seal === null) return 0;
    const { epoch, claim } = await highestClaim(this.#epochs, this.#ops);
    return lastCommitted(this.#seal, claim, epoch);
  }

  async claim(): Promise<number> {
    await makeStateDir(this.#stateDir, this.#ops);
    const floor = (await this.#names()).at(-1)?.epoch ?? 0;
    try {
      this.#epoch = await claimEpoch(this.#epochs, floor, this.#ops, this.#claimant);
    } catch (thrown) {
      throw diskFailure(thrown, this.#epochs);
    }
    return this.#epoch;
  }

  async append(events: readonly Event[], after: LogPoint | null): Promise<LogPoint> {
    if (this.#lost !== null) throw this.#lost;
    if (this.#epoch === 0) throw new Error('append before claim');
    try {
      const end = await this.#write(events, after ?? NOTHING);
      await checkEpoch(this.#epochs, this.#epoch, this.#ops);
      if ((this.#open?.bytes ?? 0) > this.#segmentBytes) await this.#closeSegment();
      this.#last = end.seq;
      return end;
    } catch (thrown) {
      const path = this.#open?.path ?? this.#events;
      await this.#abandon();
      const problem = diskFailure(thrown, path);
      if (problem.code === 'OWNER_LOST') this.#lost = problem;
      throw problem;
    }
  }

  async #write(events: readonly Event[], after: LogPoint): Promise<LogPoint> {
    const fresh = this.#open === null;
    const open = this.#open ?? (await this.#begin());
    let text = '';
    if (fresh) {
      const header = sealHeader(this.#sealing, open.name, after);
      open.mac = header.mac;
      text = `${header.line}\n`;
    }
    let end = after;
    for (const event of events) {
      const { line, mac } = sealEvent(this.#sealing, event, open.mac);
      open.mac = mac;
      text += `${line}\n`;
      end = { epoch: event.epoch, seq: event.seq, mac };
    }
    await writeWhole(open, Buffer.from(text));
    await open.file.sync();
    if (fresh) await this.#ops.syncDir(this.#events);
    return end;
  }

  async #begin(): Promise<OpenSegment> {
    this.#n++;
    this.#parsed.clear();
    const file = segmentFile(this.#epoch, this.#n);
    const path = join(this.#events, file);
    const handle = await this.#ops.openNew(path);
    if (handle === null) throw failure('OWNER_LOST', `${path} is another process's`, { details: { path } });
    this.#open = { path, file: handle, name: { file, epoch: this.#epoch, n: this.#n }, mac: '', bytes: 0 };
    return this.#open;
  }

  /** The header of the next segment makes the rest of a failed write void. */
  async #abandon(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    // The failure that led here is the one to throw.
    await open?.file.close().catch(() => undefined);
  }

  get #sealing(): LineSeal {
    if (this.#seal === null) throw new Error('a log without a key is only read');
    return this.#seal;
  }

  async #closeSegment(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.file.close();
  }

  async close(): Promise<void> {
    await this.#closeSegment();
    if (this.#claimant === undefined || this.#epoch === 0) return;
    // If a failing disk prevents this record, the end of the process has the same effect.
    const last = this.#last === 0 ? '' : sealLast(this.#sealing, this.#epoch, this.#last);
    await releaseEpoch(this.#epochs, this.#epoch, this.#ops, last).catch(() => undefined);
  }
}

async function writeWhole(open: OpenSegment, data: Uint8Array): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const written = await open.file.write(data.subarray(done));
    if (written === 0) throw new Error('nothing was written');
    done += written;
  }
  open.bytes += data.length;
}

/** `growing`: a living owner may be writing a line. */
function content(chain: Chain, loaded: readonly Segment[], origin: LogOrigin, log: 'whole' | 'growing'): LogContent {
  const newer = loaded.some((segment) => (segment.version ?? 0) > LOG_VERSION);
  const unread = loaded.filter((segment) => segment.version === null && segment.lines.length === 0);
  const newest = chain.links.at(-1)?.segment;
  const outside = unread.flatMap((segment): readonly Problem[] =>
    segment.refused
      ? [{ file: segment.file, line: null, what: 'written by another installation; left out' }]
      : problemsOf(segment, newest !== undefined && newest.epoch > segment.epoch ? newest : undefined, log),
  );
  const inside = chain.links.flatMap(({ segment }, at) => problemsOf(segment, chain.links[at + 1]?.segment, log));
  return {
    origin: newer ? 'newer' : origin,
    events: chain.links.flatMap(({ lines }) => lines.map((line) => line.event)),
    end: chain.end,
    continues: chain.continues,
    problems: [...outside, ...inside, ...chain.problems],
  };
}

/**
 * Ignores the line that a living owner is writing, and the lines that a killed owner left after the line that its
 * successor continues: no client had received them.
 */
function problemsOf(
  { lines, problems }: Segment,
  next: Segment | undefined,
  log: 'whole' | 'growing',
): readonly Problem[] {
  if (next === undefined) return log === 'whole' ? problems : problems.filter(({ what }) => what !== UNFINISHED);
  const [end] =
    lines.length === 0 ? [0] : lines.flatMap(({ mac, number }) => (mac === next.after?.mac ? [number] : []));
  return problems.filter(({ line, what }) => what !== UNFINISHED || end === undefined || (line ?? 0) <= end);
}
