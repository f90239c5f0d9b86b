/** Templates that every installation has: what a project of this sort needs to know, as questions to answer once. */

const REPORT = `## How to report

- Say by \`notify\` what was found, decided or finished, one message per matter, the result first.
- Name with it the project that it concerns, when another one has to act.
- Say at once when something cannot be done as asked, with what you would do instead.
- Nothing changed since the last report: say nothing.
`;

const MIGRATION = `## Goal

Move {what} from {old} to {new}, in steps that can each be merged and taken back.

## Background

Find out, and write down in memory, before the first job:

- Where is the old thing used? Count the places, by folder.
- What do callers outside of this repository rely on?
- Which part is the smallest that can be moved and checked by itself?
- What proves that a moved part works: which tests, which command?

## Constraints

- One part per job, the smallest first. Old and new live side by side until the last part is moved.
- No change of behaviour in the same job as a move.
- All tests pass after each job. A part without tests gets them before it is moved.
- What is deleted was searched for first: no use is left, in code, in configuration or in documents.

${REPORT}`;

const TEST_COVERAGE = `## Goal

Tests that would have caught the faults that matter, for {parts of the code}.

## Background

Find out, and write down in memory, before the first job:

- How do the tests run, and how long do they take?
- Which parts changed most in the last months, and which of them have no tests?
- Which faults were mended lately? Each is a test that was missing.
- What is hard to test, and why: time, network, randomness, global state?

## Constraints

- A test fails when what it names is broken: break it once and see.
- Behaviour is tested, by the way that callers take; no test of private parts, none that repeats the code.
- No sleeping, no network, no order between tests. Each runs alone.
- The code under test changes only where it must to be testable, in a job of its own.
- A fault that a test finds is reported, and mended in a job of its own.

${REPORT}`;

const DEPENDENCY_UPGRADES = `## Goal

The dependencies of {repository} are current, and none has a known vulnerability.

## Background

Find out, and write down in memory, before the first job:

- Which are behind, by how much, and which have advisories?
- Which are used in few places, and could go?
- Which are pinned, and what was the reason?
- What tells that an upgrade works: tests, a build, a program that starts?

## Constraints

- One dependency, or one family that moves together, per job. Security first, then patches, then minor, then major versions.
- The notes of every version in between are read; what breaks is named in the summary.
- The lock file is made by the package manager, never by hand.
- A major version whose changes reach further than this repository is asked about before it is begun.

${REPORT}`;

const DOCS = `## Goal

Documents of {product} that a newcomer gets by with: what it is, how to begin, how to do the usual things, where to look things up.

## Background

Find out, and write down in memory, before the first job:

- Who reads, and what do they want to get done?
- Which documents are there, and which of them are true? Try each command, follow each link.
- Which questions come again and again, in issues, in reviews, in chat?
- Where do documents live, how are they built, and what checks them?

## Constraints

- What is written was tried. Examples run as they stand.
- One subject per page, the usual case first. No page says what another one says.
- Words of the product are used as the product uses them.
- What is out of date is mended or removed, never left beside the new.

${REPORT}`;

export const BUILT_IN_TEMPLATES: Readonly<Record<string, string>> = {
  migration: MIGRATION,
  'test-coverage': TEST_COVERAGE,
  'dependency-upgrades': DEPENDENCY_UPGRADES,
  docs: DOCS,
};
