/** Whether anything that counts was done twice, left out, or done otherwise than where nobody kills: read from the log and from files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, resultsOf, taskName } from '../kill/killWork.ts';
import type { Logged } from '../state/eventFiles.ts';

/** What only crashes, the provider's faults, and who happens to ask leave behind. */
const PASSING = ['attempt_interrupted', 'attempt_resumed', 'job_waiting', 'job_woken', 'job_resumed', 'merge_ended'];
/** Ids, times, places and hashes. */
const PARTICULAR =
  /^(seq|epoch|at|prev|mac|id|ids|session|.*_id|.*_dir|.*_session|branch|notes|repository|diff|kept|durationMs|output)$/;
const ID = /\b[0-9a-f]{40,64}\b|\b\d{8}-\d{6}-[0-9a-f]{4}\b/g;

const repeated = (all: readonly string[]): string[] => all.filter((one, at) => all.indexOf(one) !== at);

/** Every transition of the job, in order, without what differs from run to run. */
export function jobHistory(log: readonly Logged[], folder: string): string[] {
  return log
    .filter((event) => 'job_id' in event || event.type === 'brief_submitted' || event.type === 'note_added')
    .filter(({ type }) => !/^(session_|call_|approval_|job_awaiting|job_continued)/.test(type))
    .filter(({ type }) => !PASSING.includes(type))
    .map((event) =>
      JSON.stringify(event, (name, value: unknown) => {
        if (PARTICULAR.test(name) || name === 'merge' || name === 'mode' || name === 'mergeMode') return undefined;
        return typeof value === 'string' ? value.replaceAll(folder, '').replaceAll(ID, '…') : value;
      }),
    );
}

/** Steps that were completed twice or begun after their end; those that gave something else than they must. */
export function tasksTwice(log: readonly Logged[], stateDir: string): string[] {
  const wrong: string[] = [];
  const names = new Map<number, { readonly task: string; readonly step: string }>();
  const completed = new Map<number, string>();
  for (const event of log) {
    if (event.type === 'task_created') {
      for (const { id, name } of event.steps) names.set(id, { task: event.task.name, step: name });
    }
    if (event.type !== 'task_stepped') continue;
    for (const { step_id } of event.started)
      if (completed.has(step_id)) wrong.push(`step ${step_id} begun after its end`);
    for (const end of event.ended) {
      if (end.outcome === 'failed') wrong.push(`step ${end.step_id} failed: ${end.error}`);
      if (end.outcome !== 'completed') continue;
      if (completed.has(end.step_id)) wrong.push(`step ${end.step_id} completed twice`);
      completed.set(end.step_id, end.artifact === null ? JSON.stringify(end.result) : artifact(stateDir, end.artifact));
    }
  }
  for (const [id, { task, step }] of names) {
    const wanted = resultsOf(Number(task.split(' ')[1]))[step];
    if (wanted !== undefined && completed.get(id) !== JSON.stringify(wanted))
      wrong.push(`${task}: ${step} gave otherwise`);
  }
  return [...wrong, ...repeated([...names.values()].map(({ task, step }) => `${task} ${step}`))];
}

function artifact(stateDir: string, name: string): string {
  const file = join(stateDir, 'artifacts', name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '(gone)';
}

interface Said {
  readonly direction: string;
  readonly sender: string;
  readonly text: string;
}

/** Of the messages as the terminal has them, and the memory: what is there twice or not at all. */
export function messagesTwice(
  messages: readonly Said[],
  stateDir: string,
  asked: { notes: number; tasks: number },
): string[] {
  const out = messages.filter(({ direction }) => direction === 'out').map(({ sender, text }) => `${sender}: ${text}`);
  const notes = messages.filter(({ direction, sender }) => direction === 'in' && sender === 'steward');
  const noted = out.filter((text) => text.startsWith('project: I noted message'));
  const memory = join(stateDir, 'projects', PROJECT, 'memory', 'facts', 'list.md');
  const list = existsSync(memory) ? readFileSync(memory, 'utf8').trim().split('\n') : [];
  const wrong = [...repeated(out), ...repeated(list), ...repeated(notes.map(({ text }) => text))];
  if (notes.length !== asked.notes) wrong.push(`${notes.length} of ${asked.notes} messages`);
  if (noted.length !== asked.notes) wrong.push(`${noted.length} of ${asked.notes} answers`);
  if (list.length !== asked.notes) wrong.push(`${list.length} of ${asked.notes} lines in memory`);
  for (let k = 1; k <= asked.tasks; k++) {
    // The checkpoint, the notify and the end.
    const itself = new RegExp(`\\b(${taskName(k)}|Told by ${k})\\b`);
    const said = out.filter((text) => itself.test(text)).length;
    if (said !== 3) wrong.push(`${taskName(k)} said ${said} things`);
  }
  return wrong;
}
