/** Runs verify and setup commands and keeps what they printed as evidence. */
import { withoutSecrets } from '../../../core/guard/secrets.ts';
import { endText } from '../../../core/job/missingTool.ts';
import { differenceText } from '../../../core/job/result/freshCheck.ts';
import { hasPassed } from '../../../core/job/view/freshRun.ts';
import { need } from '../../../core/state/rows.ts';
import { failureExcerpt, passedExcerpt } from '../../../core/text/output/failureExcerpt.ts';
import type { Evidence } from '../../../shared/job/evidence.ts';
import type { PhaseRow } from '../../../shared/job/rows.ts';
import { PRINTED } from '../../../shared/printed.ts';
import { question } from '../../approval/questions.ts';
import type { CommandResult } from '../../session/commandPorts.ts';
import { type JobContext, oneId, say } from '../context.ts';
import { treeOf } from '../tree/tree.ts';
import { type FreshFolder, runCommand } from './commands.ts';

const TAIL_CHARACTERS = 4_000;

const TAIL_OF_PASSED = 600;

const clean = withoutSecrets();

/** Runs commands in order, until one fails unless `all` is true. Each gets its evidence at this commit. */
export async function gatherEvidence(
  context: JobContext,
  commands: readonly string[],
  about: {
    readonly commit: string;
    readonly label: string;
    readonly network: 'none' | 'registries';
    readonly featureId?: number;
    readonly fresh?: FreshFolder;
    readonly all?: boolean | undefined;
  },
): Promise<Evidence[]> {
  const gathered: Evidence[] = [];
  for (const command of commands) {
    say(context, `${about.label}: ${command}`, about.featureId === undefined ? {} : { featureId: about.featureId });
    const result = await runCommand(context, command, {
      timeoutMs: context.verifyTimeoutMs,
      network: about.network,
      place: null,
      fresh: about.fresh,
      writes: true,
      signal: context.signal,
    });
    // If the clone is missing, the failed start of a command does not count as evidence.
    if (result.ended === 'failed_to_start')
      await context.git.requireClone(treeOf(context, need(context.store.state, 'jobs', context.jobId)));
    const evidence = await evidenceOf(context, command, result, about);
    gathered.push(evidence);
    if ((about.all !== true && !hasPassed(evidence)) || context.signal.aborted) break;
  }
  return gathered;
}

async function evidenceOf(
  context: JobContext,
  command: string,
  result: CommandResult,
  { commit, fresh }: { readonly commit: string; readonly fresh?: FreshFolder },
): Promise<Evidence> {
  const output = clean(result.output);
  const job = need(context.store.state, 'jobs', context.jobId);
  const folder = fresh?.tree ?? treeOf(context, job).workTree;
  return {
    command,
    exitCode: result.exitCode,
    ended: result.ended,
    durationMs: Math.round(result.durationMs),
    artifact: await context.artifacts.put(output),
    tail: hasPassed(result) ? passedExcerpt(output, TAIL_OF_PASSED) : failureExcerpt(output, TAIL_CHARACTERS, folder),
    commit,
    sandboxed: result.sandboxed,
  };
}

/** Asks about a command that the steward did not allow: without it nothing is verified. Returns whether it asked. */
export async function askToRun(
  context: JobContext,
  evidence: readonly Evidence[],
  phase: PhaseRow | null,
): Promise<boolean> {
  const refused = evidence.find((one) => one.ended === 'refused');
  if (refused === undefined) return false;
  const job = need(context.store.state, 'jobs', context.jobId);
  const what = phase === null ? 'The result' : `Phase ${phase.number} "${phase.title}"`;
  const approval = question(job, await oneId(context, 'approvals'), {
    kind: 'stuck',
    // An approval of this question is one of the command.
    about: { of: 'command', command: refused.command },
    question: `${what} cannot be verified without running \`${refused.command}\`. Run it once, without a sandbox?`,
    phase_id: phase?.id ?? null,
  });
  await context.store.commit({ type: 'approval_requested', approval });
  return true;
}

/** The feedback of a failed command for the next attempt. */
export function failureFeedback(evidence: readonly Evidence[]): string | null {
  const failed = evidence.find((one) => !hasPassed(one));
  if (failed === undefined) return null;
  const where = failed.fresh === undefined ? '' : ' in a fresh checkout of the commit';
  const text = `The verify command \`${failed.command}\` failed${where} (${endText(failed)}). ${PRINTED}${failed.tail}`;
  return [text, differenceText(evidence)].filter((part) => part !== null).join('\n\n');
}
