/** The text of a question's subject: every one that an engine wrote is read and written again as it was. */
import { describe, expect, it, test } from 'vitest';
import { type About, aboutOf, GAVE_UP_CAUSES, subjectOf } from '../../../../src/core/approval/about.ts';
import { ERROR_TRAITS, type ErrorCode } from '../../../../src/shared/errors.ts';
import { fc } from '../../../support/suite/property.ts';

const id = fc.nat();
const line = fc.oneof(
  fc.string(),
  fc.constantFrom('npm test', 'a:b', ':', 'sh -c "x: 1"', 'C:\\data', '', '1', 'baseline'),
);
const word = fc.stringMatching(/^[a-z_]{1,20}$/);
const hash = fc.stringMatching(/^[0-9a-f]{7,64}$/);
const code = fc.constantFrom(...(Object.keys(ERROR_TRAITS) as ErrorCode[]));

/** Each kind of subject as the engine has written it, by hand, and what it means. */
const WRITTEN: fc.Arbitrary<readonly [string, About]> = fc.oneof(
  fc.constantFrom<readonly [string, About]>(
    ['dirty_tree', { of: 'dirtyTree' }],
    ['unmergeable', { of: 'unmergeable' }],
    ['setup', { of: 'setup' }],
    ['setup_failed', { of: 'failedSetup', added: null }],
    ['tool_missing:baseline', { of: 'toolMissing' }],
  ),
  line.map((added) => [`setup_failed:${added}`, { of: 'failedSetup', added }] as const),
  fc
    .tuple(fc.constantFrom('command', 'agent', 'registries'), line)
    .map(([of, command]) => [`${of}:${command}`, { of, command }] as const),
  id.map((version) => [`plan:${version}`, { of: 'plan', version, asks: false }] as const),
  id.map((version) => [`plan:${version}:questions`, { of: 'plan', version, asks: true }] as const),
  id.map((tries) => [`planner:${tries}`, { of: 'planner', version: null, tries }] as const),
  fc
    .tuple(id, id)
    .map(([version, tries]) => [`planner:${version}:${tries}`, { of: 'planner', version, tries }] as const),
  fc
    .tuple(fc.constantFrom('phase', 'escalate'), id)
    .map(([of, review]) => [`${of}:${review}`, { of, review }] as const),
  fc
    .tuple(id, id)
    .map(([attempt, times]) => [`crashes:${attempt}:${times}`, { of: 'crashes', attempt, times }] as const),
  fc
    .tuple(id, fc.array(id))
    .map(
      ([featureId, candidates]) =>
        [`pick:${featureId}:${candidates.join(',')}`, { of: 'pick', featureId, candidates }] as const,
    ),
  fc
    .tuple(fc.constantFrom('merge', 'accept'), fc.oneof(hash, fc.constant('')))
    .map(([of, commit]) => [`${of}:${commit}`, { of, commit }] as const),
  fc.tuple(hash, hash).map(([base, ours]) => [`conflict:${base}:${ours}`, { of: 'conflict', base, ours }] as const),
  fc.tuple(hash, id).map(([head, id]) => [`refused:${head}:${id}`, { of: 'mergeRefused', head, id }] as const),
  fc.tuple(word, id).map(([limit, id]) => [`limit:${limit}:${id}`, { of: 'limit', limit, id, raiseTo: null }] as const),
  fc
    .tuple(word, id, fc.oneof(id, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })))
    .filter(([, , raiseTo]) => !Object.is(raiseTo, -0))
    .map(([limit, id, raiseTo]) => [`limit:${limit}:${id}:${raiseTo}`, { of: 'limit', limit, id, raiseTo }] as const),
  fc
    .tuple(fc.constantFrom('provider', 'failure'), code, id)
    .map(([of, code, id]) => [`${of}:${code}:${id}`, { of, code, id }] as const),
  fc
    .tuple(fc.constantFrom('stuck', 'blocked'), id)
    .map(([of, featureId]) => [`${of}:${featureId}`, { of, featureId }] as const),
  fc
    .tuple(fc.constantFrom(...GAVE_UP_CAUSES), id)
    .map(([cause, featureId]) => [`${cause}:${featureId}`, { of: 'gaveUp', cause, featureId }] as const),
  line.map((path) => [`workdir:${path}`, { of: 'workdir', path }] as const),
  hash.map((hash) => [`definition:${hash}`, { of: 'definition', hash }] as const),
  id.map((messageId) => [`relay:${messageId}`, { of: 'relay', messageId }] as const),
  line.map((projectId) => [`project:${projectId}`, { of: 'project', projectId }] as const),
  fc.tuple(line, id).map(([taskId, stepId]) => [`task:${taskId}:${stepId}`, { of: 'task', taskId, stepId }] as const),
);

/** What begins as a subject does, and may be none. */
const like = fc
  .tuple(
    WRITTEN.map(([text]) => text.split(':')[0] ?? ''),
    fc.array(
      fc.oneof(fc.string(), fc.constantFrom('NaN', 'Infinity', '-0', '01', '1e3', ' 1', '', 'KEY_MISSING', '7')),
    ),
  )
  .map(([begin, rest]) => [begin, ...rest].join(':'));

describe('a subject that an engine wrote', () => {
  it('means what it meant, and is written again as it was', () => {
    fc.assert(
      fc.property(WRITTEN, ([text, about]) => {
        expect(aboutOf(text)).toEqual(about);
        expect(subjectOf(about)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });
});

test('any other text is read too, and written again as it was', () => {
  fc.assert(
    fc.property(fc.oneof(like, fc.string()), (text) => subjectOf(aboutOf(text)) === text),
    { numRuns: 3_000 },
  );
});

test.each([
  'step:4',
  'thread',
  'about:2',
  'provider:NO_SUCH_CODE:1',
  'limit:job',
  'plan:01',
  'plan:2:answers',
  'phase:NaN',
])('%s is no subject of an engine', (text) => {
  expect(aboutOf(text)).toEqual({ of: 'other', text });
});
