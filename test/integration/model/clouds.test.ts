/** A brief whose worker is Claude in Amazon's and in Google's cloud, with credentials that expire under way. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { ONE_FEATURE } from '../../support/demo/briefs.ts';
import {
  type AwsKeys,
  BEDROCK_HOST,
  type CloudServer,
  startBedrock,
  startVertex,
  VERTEX,
} from '../../support/provider/cloudServer.ts';
import { startMessagesServer } from '../../support/provider/messagesServer.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

const MODEL = 'claude-opus-5-5';
const ANTHROPICS = { planner: MODEL, reviewer: MODEL, summarizer: MODEL };
const keysOf = (night: number): AwsKeys => ({
  AccessKeyId: `AKIA${night}`,
  SecretAccessKey: `secret/of+night-${night}`,
  SessionToken: `session-token-of-night-${night}`,
});

const CLOUDS = [
  {
    cloud: 'vertex',
    start: startVertex,
    keyOf: (night: number) => `token-of-night-${night}`,
    entry: { preset: 'vertex', baseUrl: `${VERTEX}/v1/projects/my-project/locations/global` },
  },
  {
    cloud: 'bedrock',
    start: (behind: Parameters<typeof startBedrock>[0], key: () => string) =>
      startBedrock(behind, () => JSON.parse(key()) as AwsKeys),
    // As the command of AWS prints it, in lines.
    keyOf: (night: number) => JSON.stringify({ Version: 1, ...keysOf(night) }, null, 2),
    entry: { preset: 'bedrock', baseUrl: `https://${BEDROCK_HOST}/anthropic`, auth: 'sigv4' as const },
  },
];

test.each(CLOUDS)('a worker in the cloud of $cloud', async ({ start, keyOf, entry }) => {
  const file = join(inject('tempRoot'), `key-${entry.preset}`);
  let night = 1;
  const print = () => writeFileSync(file, keyOf(night));
  print();
  const api = await startMessagesServer({
    scenario: ONE_FEATURE,
    apiKey: 'behind-the-cloud',
    // The check of the model is the first request; the worker’s first answer is the last one of the first night.
    faults: ({ index }) => {
      if (index === 1) {
        night = 2;
        print();
      }
      return null;
    },
  });
  await using cloud: CloudServer = await start({ target: api.url, apiKey: api.apiKey }, () => keyOf(night));
  await using world = await EngineWorld.open({
    connections: {
      cloud: { ...entry, keyCommand: `cat ${JSON.stringify(file)}`, headers: { 'X-Team': 'payments-12345678' } },
    },
    fetch: cloud.fetch,
  });
  try {
    await world.run({ models: { ...ANTHROPICS, worker: `cloud/${MODEL}` } });
    const rows = [...world.state.spends.values()].filter(({ provider }) => provider === 'cloud');
    const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
    expect(sum(rows.map((row) => row.settled_micro_usd))).toBe(sum(api.bill.map(({ microUsd }) => microUsd)));
    expect(rows.every(({ status, price_version }) => status === 'settled' && price_version !== 'unpriced')).toBe(true);
    expect(cloud.refused).toEqual([expect.stringMatching(/token/)]);
  } finally {
    await api.close();
  }
});
