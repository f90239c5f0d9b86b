/** Takes the answer of another agent's session: judged and journaled as the built-in agent's, at the tree as it is now. */

import type { BetaToolResultBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { canonicalJson } from '../../core/session/loopGuard.ts';
import { findFailure } from '../../shared/errors.ts';
import { type Verdict, verdictSchema } from '../../shared/job/plan.ts';
import type { AgentRole } from '../../shared/session.ts';
import { answerTool, judgeAnswer } from '../session/answers.ts';
import type { SessionAnswer, ToolResult } from '../session/ports.ts';
import { headOnly } from '../session/text.ts';
import { resultText } from '../session/transcript/messages.ts';
import { settleRound } from '../session/transcript/rounds.ts';
import { callBlock, replyEntry, resultBlock, resultsEntry } from './observed/entries.ts';
import type { Journal } from './observed/journal.ts';
import type { VerdictAuthenticator } from './observed/verdictAuthenticator.ts';

/** The tree may change while it is kept: something in the background writes. */
const TRIES = 3;
const MAX_REASON = 2_000;

const TAKEN = 'Taken. Later changes do not count: end your turn now.';
const NOBODY: ToolResult = { ok: false, text: 'No answer is expected now: the turn has ended.' };
const FORGED: ToolResult = {
  ok: false,
  text:
    'Not taken: your model did not give this verdict in a separate call, so it may come from the code under review. ' +
    'Call submit_verdict yourself, with the whole verdict (APPROVED, REJECTED or ESCALATE) in that call.',
};
/** Maximum number of journaled refusals, so that endless requests cannot fill the disk. */
const MAX_KEPT_REFUSALS = 20;

/** The running turn, which an answer can end. */
export interface Listener {
  /** Whether the turn has a final end. A report that blames a reached limit is then not a report of the work. */
  over(): boolean;
  /** Journals earlier messages before the answer. */
  before(): void;
  settled(): void;
  failed(thrown: unknown): void;
}

export class ResultReceiver {
  readonly #role: AgentRole;
  readonly #journal: Journal;
  readonly #checkpoint: () => Promise<string | null>;
  readonly #authenticator: VerdictAuthenticator;
  #refused = 0;
  #listener: Listener | null = null;
  #taken: { readonly input: string } | null = null;
  /** Verdicts after the accepted one, one of each kind. */
  readonly #later = new Map<Verdict['verdict'], Verdict>();

  constructor(
    role: AgentRole,
    journal: Journal,
    authenticator: VerdictAuthenticator,
    checkpoint: () => Promise<string | null>,
  ) {
    this.#role = role;
    this.#journal = journal;
    this.#authenticator = authenticator;
    this.#checkpoint = checkpoint;
  }

  /** A notice for a person about a session without a verdict. Empty if no verdict was refused. */
  get refusals(): string {
    return this.#refused === 0
      ? ''
      : `; ${this.#refused} that came over its shell alone were refused: its model had not given them`;
  }

  /** Accepts answers until the returned function is called. */
  open(listener: Listener): () => void {
    this.#listener = listener;
    this.#taken = null;
    this.#later.clear();
    return () => {
      this.#listener = null;
    };
  }

  async take(input: unknown): Promise<ToolResult> {
    const listener = this.#listener;
    if (listener === null || listener.over()) return NOBODY;
    listener.before();
    try {
      if (!(await this.#authenticator.vouches(input))) return await this.#refuse(input);
      return await this.#journal.inTurn(async (append) => {
        const { settled } = this.#journal.told.conversation;
        if (settled !== null) return this.#again(input);
        return this.#judge(input, append, listener);
      });
    } catch (thrown) {
      listener.failed(thrown);
      return { ok: false, text: 'the engine could not take it now' };
    }
  }

  async #judge(
    input: unknown,
    append: Parameters<Parameters<Journal['inTurn']>[0]>[0],
    listener: Listener,
  ): Promise<ToolResult> {
    const { conversation } = this.#journal.told;
    const call = callBlock(`answer-${conversation.turns + 1}`, answerTool(this.#role) ?? '', input);
    const given: BetaToolResultBlockParam = { type: 'tool_result', tool_use_id: call.id, content: TAKEN };
    const accepted = judgeAnswer(this.#role, [call], [given], conversation.submitted).kind === 'accepted';
    const checkpoint = accepted ? await this.#keepTree() : null;
    const [result = given] = settleRound(this.#role, conversation, [call], [given]);
    await append(replyEntry('', [call]));
    await append(resultsEntry([result], checkpoint));
    if (accepted) this.#taken = { input: canonicalJson(input) };
    if (this.#journal.told.conversation.settled !== null) listener.settled();
    return { ok: accepted, text: resultText(result) };
  }

  /** No answer of the session, not even an invalid one: it is kept as something that happened. */
  async #refuse(input: unknown): Promise<ToolResult> {
    if (++this.#refused > MAX_KEPT_REFUSALS) return FORGED;
    const id = `refused-${this.#refused}`;
    const given = headOnly(canonicalJson(input) ?? '', MAX_REASON);
    const heard = { name: 'other', input: { title: 'a verdict over the shell', given }, output: FORGED.text };
    await this.#journal.inTurn(async (append) => {
      if (this.#journal.told.conversation.settled !== null) return;
      await append(replyEntry('', [callBlock(id, heard.name, heard.input)]));
      await append(resultsEntry([resultBlock(id, { ...heard, failed: true, mayWrite: false })], null));
    });
    return FORGED;
  }

  /** A model that gave two different verdicts has not made up its mind: a person decides. */
  weighed(answer: SessionAnswer): SessionAnswer {
    if (answer.kind !== 'verdict') return answer;
    const later = [...this.#later.values()].find(({ verdict }) => verdict !== answer.verdict.verdict);
    if (later === undefined) return answer;
    const reason = `It gave two verdicts, ${answer.verdict.verdict} and then ${later.verdict}: ${later.reason}`;
    return {
      kind: 'verdict',
      verdict: { verdict: 'ESCALATE', reason: headOnly(reason, MAX_REASON), feedback: '', reopen: [] },
    };
  }

  #again(input: unknown): ToolResult {
    if (this.#taken?.input === canonicalJson(input)) return { ok: true, text: TAKEN };
    const later = verdictSchema.safeParse(input);
    if (later.success) this.#later.set(later.data.verdict, later.data);
    return { ok: false, text: 'Your answer was taken already, and counts. End your turn now.' };
  }

  async #keepTree(): Promise<string | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#checkpoint();
      } catch (thrown) {
        if (tries >= TRIES || findFailure(thrown)?.code !== 'GIT_FAILED') throw thrown;
      }
    }
  }
}
