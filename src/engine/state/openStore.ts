/** Opens the state: replays the log, detects a lost end, claims an epoch, imports what another tool left. */
import { changesTo, LOST_TAIL_HINT, type LostTail, lostTailText } from '../../core/state/lostTail.ts';
import { isoTime } from '../../shared/clock.ts';
import { failure } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/workspace/events.ts';
import { applyChanges, emptyState } from '../../shared/workspace/state.ts';
import { fold, noteIds, type Opened } from './replayedLog.ts';
import { LogStore, type Store, type StoreOptions } from './store.ts';
import type { ImportedDraft, LogContent, OldFile, Projection } from './storePorts.ts';

/** Below this size of the log, folding its events is faster than starting SQLite and loading the database (measured). */
const REPLAY_BYTES = 4 * 1024 * 1024;

const OLD_FILES = ['database', 'progress'] as const;

async function replay(options: StoreOptions): Promise<Opened> {
  const { log, projection, replayBytes = REPLAY_BYTES } = options;
  const saved = projection !== null && (await log.size()) > replayBytes ? await projection.load() : null;
  if (saved !== null) {
    const content = await log.read(saved.at);
    if (content.continues && content.origin !== 'foreign') {
      return fold({ state: saved.state, sequences: new Map(saved.sequences) }, content, options);
    }
  }
  return fold({ state: emptyState(), sequences: new Map() }, await log.read(null), options);
}

/** Folds later events onto a reading. */
function resume(before: Opened, rest: LogContent, options: StoreOptions): Opened {
  const opened = fold(before, { ...rest, end: rest.end ?? before.content.end }, options);
  return {
    ...opened,
    problems: rest.events.length === 0 ? before.problems : [...before.problems, ...opened.problems],
    imports: new Set([...before.imports, ...opened.imports]),
  };
}

/** The last event that something beside the log knows. Read before the log, which only grows: an owner may be at work. */
async function lastKnown({ log, projection, follows }: StoreOptions): Promise<number> {
  if (follows === true) return 0;
  return Math.max((await projection?.lastWritten()) ?? 0, await log.lastClaimed());
}

/**
 * Returns null if the log has all known events. If the log is missing, only the database shows that: a new log would lose its
 * rows.
 */
async function lostTailOf({ content }: Opened, known: number, options: StoreOptions): Promise<LostTail | null> {
  const { origin, end } = content;
  if (origin === 'own' && (end?.seq ?? 0) < known) return { found: end?.seq ?? 0, known };
  if (origin !== 'empty' || options.follows === true) return null;
  const saved = (await options.projection?.load()) ?? null;
  return saved === null || saved.at.seq === 0 ? null : { found: 0, known: saved.at.seq };
}

/** Opens the state: as the owner if `owner` is given and this installation wrote the state, else read-only. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { owner } = options;
  const known = await lastKnown(options);
  const before = await replay(options);
  await options.checked?.(before.state);
  const lost = await lostTailOf(before, known, options);
  const isOthers = before.content.origin === 'foreign' || before.content.origin === 'newer';
  if (owner === null || isOthers) {
    if (lost !== null) {
      before.problems.push({ file: 'events', line: null, what: `${lostTailText(lost)}. ${LOST_TAIL_HINT}` });
    }
    if (!isOthers) await previewOld(options, before);
    return new LogStore(options, before, 0, lost);
  }
  if (lost !== null && options.restores !== true) {
    throw failure('STATE_INCOMPLETE', lostTailText(lost), { hint: LOST_TAIL_HINT, details: { ...lost } });
  }
  const epoch = await options.log.claim();
  try {
    return await begin(options, before, owner, epoch, lost);
  } catch (thrown) {
    // A process that cannot start releases its claim. The first failure is the one to report.
    await options.log.close().catch(() => undefined);
    throw thrown;
  }
}

async function begin(
  options: StoreOptions,
  before: Opened,
  owner: NonNullable<StoreOptions['owner']>,
  epoch: number,
  lost: LostTail | null,
): Promise<Store> {
  const { projection } = options;
  // Only a reading after the claim has everything that the last owner reported as committed.
  const rest = await options.log.read(before.content.end);
  const opened = rest.continues ? resume(before, rest, options) : await replay(options);
  const draft = lost === null ? null : await restored(opened, lost, projection);
  const store = new LogStore(options, opened, epoch);
  if (draft !== null) await store.commit(draft);
  await store.commit({ type: 'owner_started', pid: owner.pid, release: owner.version });
  const handled = await importOld(options, opened, (draft) => store.commit(draft));
  projection?.follow(store.state, store.end);
  if (handled.length > 0) await projection?.flush();
  for (const file of handled) await file.finish();
  return store;
}

/** Imports what another tool left, each file once and after a copy of it is stored. Returns the files of the imports. */
async function importOld(
  { old, clock }: StoreOptions,
  { sequences, imports, problems }: Opened,
  commit: (draft: ImportedDraft) => Promise<unknown>,
): Promise<readonly OldFile[]> {
  const imported: OldFile[] = [];
  // Sequential, because the ids of the second file depend on the first.
  for (const name of OLD_FILES) {
    const file = (await old?.[name]((table) => sequences.get(table) ?? 0, isoTime(clock))) ?? null;
    if (file === null) continue;
    await file.keep();
    if (file.problem !== null) problems.push(file.problem);
    if (file.draft === null) continue;
    if (!imports.has(file.draft.source)) await commit(file.draft);
    imported.push(file);
  }
  return imported;
}

/** Shows what an owner would import, so that a workspace looks the same before its first owner and after. */
async function previewOld({ old, clock, reduce }: StoreOptions, { state, sequences, imports }: Opened): Promise<void> {
  for (const name of OLD_FILES) {
    const at = isoTime(clock);
    const draft = (await old?.[name]((table) => sequences.get(table) ?? 0, at))?.draft ?? null;
    if (draft === null || imports.has(draft.source)) continue;
    const { last_seq: seq, epoch } = state.meta;
    const changes = reduce(state, { ...draft, seq, epoch, at });
    applyChanges(state, changes);
    noteIds(sequences, changes);
  }
}

/** The event that adopts the database's rows. Numbers of lost events and rows are not assigned again. */
async function restored(
  opened: Opened,
  { found, known }: LostTail,
  projection: Projection | null,
): Promise<Extract<EventDraft, { readonly type: 'state_restored' }>> {
  const saved = (await projection?.load()) ?? null;
  const isNewer = saved !== null && saved.at.seq > found;
  const source = (await projection?.keep()) ?? null;
  const changes = isNewer ? changesTo(opened.state, saved.state) : [];
  for (const [table, id] of isNewer ? saved.sequences : []) {
    if (id > (opened.sequences.get(table) ?? 0)) opened.sequences.set(table, id);
  }
  opened.state.meta = { ...opened.state.meta, last_seq: known };
  return { type: 'state_restored', source, found, known, changes };
}
