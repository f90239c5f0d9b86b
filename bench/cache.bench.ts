/** How much of what the sessions of the demo send was read from the prompt cache, by the bill of a server that keeps one. */
import { rmSync } from 'node:fs';
import { commandsOf, stewardAnswer } from '../src/adapters/simulated/scenario.ts';
import { demoBrief, demoSampleFiles, loadScenario } from '../src/app/assets/scenarios.ts';
import type { Owner } from '../src/app/owner/assemble.ts';
import type { ApprovalKind } from '../src/shared/approval.ts';
import type { SpendRow } from '../src/shared/money.ts';
import { startMessagesServer } from '../test/support/provider/messagesServer.ts';
import { round, show } from './table.ts';
import { benchWorld, openOwner } from './world.ts';

const TARGET = 0.9;

const scenario = await loadScenario('demo');

async function carryOut(owner: Owner): Promise<void> {
  const over = Promise.withResolvers<void>();
  const asked = new Map<ApprovalKind, number>();
  const answered = new Set<number>();
  owner.follow({
    event: (event) => {
      if (event.type === 'job_completed') over.resolve();
      if (event.type === 'job_failed') over.reject(new Error(event.reason));
      for (const { id, kind, status, choices } of owner.state.approvals.values()) {
        if (status !== 'pending' || answered.has(id)) continue;
        answered.add(id);
        const nth = (asked.get(kind) ?? 0) + 1;
        asked.set(kind, nth);
        const answer = stewardAnswer(scenario, kind, nth);
        const { decision = 'approved', feedback = null } = answer ?? {};
        const choice = decision === 'approved' ? (choices[0] ?? null) : null;
        owner.request('decide', { approvalId: id, decision, choice, feedback }).catch(over.reject);
      }
    },
    failed: (_, { message }) => over.reject(new Error(message)),
  });
  await owner.request('submitBrief', {
    brief: await demoBrief(),
    mergeMode: 'patch',
    setup: [],
    allowedCommands: commandsOf(scenario).map((argv) => [...argv]),
  });
  await over.promise;
}

interface Later {
  readonly role: string;
  readonly read: number;
  readonly sent: number;
  /** What the request before it sent: more cannot be in the cache. */
  readonly before: number;
}

const inputOf = (row: SpendRow): number =>
  row.input_tokens + row.cache_read_tokens + row.cache_write_5m_tokens + row.cache_write_1h_tokens;

function laterRequests(spends: readonly SpendRow[]): Later[] {
  const sorted = spends.toSorted((a, b) => a.id - b.id);
  return sorted.flatMap((row, at) => {
    const last = sorted[at - 1];
    if (last === undefined) return [];
    return [{ role: row.role, read: row.cache_read_tokens, sent: inputOf(row), before: inputOf(last) }];
  });
}

function shares(requests: readonly Later[]): { readonly share: number; readonly ofPossible: number } {
  const sum = (of: (request: Later) => number): number => requests.reduce((total, request) => total + of(request), 0);
  const read = sum((request) => request.read);
  return { share: read / sum((request) => request.sent), ofPossible: read / sum((request) => request.before) };
}

const server = await startMessagesServer({ scenario });
const world = benchWorld(await demoSampleFiles(), ['git', 'node']);
try {
  const owner = await openOwner(world, { key: () => server.apiKey, baseUrl: server.url });
  await carryOut(owner);
  const bySession = Map.groupBy(owner.state.spends.values(), (row) => row.session_id);
  await owner.close();
  const later = [...bySession.values()].flatMap(laterRequests);
  const line = (role: string, requests: readonly Later[]): (string | number)[] => {
    const { share, ofPossible } = shares(requests);
    return [role, requests.length, round(share, 3), round(ofPossible, 3)];
  };
  const { share } = shares(later);
  const roles = Map.groupBy(later, ({ role }) => role);
  show(
    'Cache reads from the second request of a session on (tokens of input)',
    ['role', 'requests', 'of all sent', 'of what the request before sent', 'target', ''],
    [
      ...[...roles].map(([role, requests]) => [...line(role, requests), '', '']),
      [...line('all', later), `>= ${TARGET} of all`, share >= TARGET ? 'met' : 'MISSED'],
    ],
  );
} finally {
  await server.close();
  rmSync(world.folder, { recursive: true, force: true });
}
