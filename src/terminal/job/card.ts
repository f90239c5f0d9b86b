/** `board show`, `board session`, `board artifact`: the data behind a card. */

import { todoLines } from '../../core/job/history/todo.ts';
import { returnsText } from '../../core/job/result/returnsText.ts';
import { details } from '../../core/job/view/details.ts';
import { originText } from '../../core/job/view/freshRun.ts';
import { ledgerWithUses } from '../../core/money/view/sessionUses.ts';
import { noteAuthor, noteText } from '../../core/note/notes.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import { failure } from '../../shared/errors.ts';
import type { PanelAttempt, PanelDetails, PanelSession } from '../../shared/workspace/panel.ts';
import type { State } from '../../shared/workspace/state.ts';
import { handoversText } from '../money/cacheTable.ts';
import { type Context, command, print, printExact, readState } from '../screen/context.ts';
import { cost, dollars } from '../text/format.ts';
import { parseId, usage } from '../text/parse.ts';
import { routeLine } from '../text/route.ts';
import { indented, visibleBlock, visibleLine } from '../text/visible.ts';

export async function showVerb(context: Context, id: string): Promise<number> {
  const featureId = parseId(id, 'feature');
  const state = await readState(context);
  const name = state.features.get(featureId)?.name ?? '';
  const ledger = ledgerWithUses(state.spends.values(), state);
  const view = details(state, ledger, featureId);
  if (view === null)
    throw failure('NOT_FOUND', `there is no feature ${featureId}`, { hint: `See: ${command(context, 'board')}` });
  print(
    context,
    { feature: { id: featureId, name, ...view } },
    context.json ? '' : cardText(context, state, name, view),
  );
  return 0;
}

function cardText(context: Context, state: State, name: string, view: PanelDetails): string {
  /** The executor, unless it is the built-in agent. */
  const by = (sessionId: number): string => {
    const executor = state.sessions.get(sessionId)?.executor ?? BUILT_IN;
    return executor === BUILT_IN ? '' : ` by ${visibleLine(executor)}`;
  };
  const block = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [[context.paint(title, 'strong'), ...lines.map((line) => indented(line))].join('\n')];
  const why = view.held ?? view.failureReason;
  return [
    `${context.paint(`${view.featureId}: ${visibleLine(name)}`, 'strong')}${why === null ? '' : `\n${visibleLine(why)}`}`,
    ...block('Description', [visibleBlock(view.description)]),
    ...block('Testing steps', view.testingSteps.map(visibleLine)),
    ...block(
      'Depends on',
      view.dependsOn.map((other) => `${other.id}: ${visibleLine(other.name)}, ${other.status}`),
    ),
    ...block(
      'Attempts',
      view.attempts.map((attempt) => attemptText(attempt, by(attempt.sessionId))),
    ),
    ...block(
      'Reviews of its phase',
      view.reviews.map(
        (row) =>
          `${row.number}: ${row.verdict ?? row.status}, session ${row.sessionId}, ${visibleLine(row.reason ?? '')}${row.route === null ? '' : `\n  ${visibleLine(routeLine(row.route))}`}`,
      ),
    ),
    ...block(
      'Notes',
      view.notes.map((note) => `${note.id} by ${noteAuthor(note)}: ${visibleBlock(noteText(note.content))}`),
    ),
    ...block(
      'Sessions',
      view.sessions.map(
        (row) =>
          `${row.id}: ${row.role} ${visibleLine(row.model)}${by(row.id)}, ${row.status}, ${dollars(row.costUsd ?? 0)}${handedOver(row)}`,
      ),
    ),
  ].join('\n\n');
}

function handedOver(session: PanelSession): string {
  const text = handoversText(session);
  return text === null ? '' : `, ${text}`;
}

function attemptText(attempt: PanelAttempt, by: string): string {
  const head = [
    `${attempt.number}: ${attempt.status}${by}`,
    attempt.cause,
    `session ${attempt.sessionId}`,
    cost(attempt.costUsd, attempt.unpriced),
  ];
  const returned = returnsText(attempt.returns);
  const lines = [
    head.filter((part) => part !== null).join(', '),
    ...(attempt.route === null ? [] : [visibleLine(routeLine(attempt.route))]),
    ...(returned === null ? [] : [visibleLine(returned)]),
    ...(attempt.summary === null ? [] : [visibleBlock(attempt.summary)]),
    ...(attempt.feedback === null ? [] : [visibleBlock(attempt.feedback)]),
    ...todoLines(attempt.todo).map(visibleLine),
    ...(attempt.diff === null ? [] : [`diff ${attempt.diff}`]),
    ...attempt.evidence.map(
      ({ command: run, exitCode, ended, artifact, fresh }) =>
        `${exitCode === 0 ? 'passed' : (ended ?? `exit ${exitCode}`)} ${visibleLine(run)}${originText({ exitCode, ended, fresh })}${artifact === null ? '' : `, output ${artifact}`}`,
    ),
  ];
  return lines.join('\n').replaceAll('\n', '\n  ');
}

export async function sessionVerb(context: Context, id: string): Promise<number> {
  const sessionId = parseId(id, 'session');
  const text = await context.workspace.session.transcript(sessionId);
  print(context, { session: { id: sessionId, transcript: text } }, visibleBlock(text));
  return 0;
}

/** Unchanged in a pipe; on a terminal, hidden characters are escaped. */
export async function artifactVerb(context: Context, name: string): Promise<number> {
  if (!/^[\w.-]+$/.test(name)) throw usage(`"${visibleLine(name)}" is not the name of an artifact`);
  const text = await context.workspace.session.artifact(name);
  if (text === null) throw failure('NOT_FOUND', `there is no artifact ${name}`);
  printExact(context, { artifact: { name, text } }, text);
  return 0;
}
