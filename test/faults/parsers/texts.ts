/** Texts that people write, or a repository brings: definitions, tasks, plans, agents, conditions, times, commands. */

import { parse } from 'yaml';
import { REQUEST_MAGIC } from '../../../src/adapters/shell/session/sessionScript.ts';
import { parseRequest } from '../../../src/adapters/shell/session/spool.ts';
import { checkScenario, scenarioValue } from '../../../src/adapters/simulated/scenario.ts';
import { ownAgents } from '../../../src/adapters/userData/knownAgents.ts';
import { parseArgv } from '../../../src/core/guard/commandPolicy.ts';
import { executablePaths } from '../../../src/core/guard/executablePaths.ts';
import { nextTimes } from '../../../src/core/task/schedule.ts';
import { decide, readCondition } from '../../../src/core/task/script/conditions.ts';
import { fillWith, Misfit } from '../../../src/core/task/script/fill.ts';
import { pieces, stepNames } from '../../../src/core/task/script/references.ts';
import { diffTotals } from '../../../src/core/text/diff/diffTotals.ts';
import { unifiedDiff } from '../../../src/core/text/diff/unifiedDiff.ts';
import { parseDefinition, printDefinition } from '../../../src/engine/project/definition/definition.ts';
import { readFields, splitFrontmatter } from '../../../src/engine/project/definition/frontmatter.ts';
import { readTaskText, writeTaskText } from '../../../src/engine/task/text/taskText.ts';
import type { Json } from '../../../src/shared/task/tasks.ts';
import {
  formatAssignment,
  formatProjectTurn,
  parseAssignment,
  parseProjectTurn,
} from '../../../src/shared/workspace/assignment.ts';
import {
  parseAmount,
  parseExecutors,
  parseGates,
  parseId,
  parseModels,
  parseUsd,
} from '../../../src/terminal/text/parse.ts';
import { planYaml, readPlan } from '../../../src/vscode/job/plan/planDocument.ts';
import { planOf } from '../../support/state/builders.ts';
import type { Parser } from './judge.ts';

const NOW = Date.UTC(2026, 10, 2, 12);
const NAMES = stepNames([{ name: 'Fetch' }, { name: 'Decide' }, { name: '__proto__' }, { name: 'constructor' }]);
const RESULT = JSON.parse('{"a":[1,{"b":"x"}],"__proto__":{"polluted":true},"ok":true,"n":3}') as Json;

const PROJECT = `---
name: web
status: active
model: opus
workdir: ../site
executors: { worker: cline }
limits: { dayUsd: 2.50, tokens: 1000 }
heartbeat:
  every: 30m
  prompt: "Look around"
idle: 4h
created: 2026-11-22T10:00:00Z
---

# The site

Text with --- in it.
`;

const TASK = `name: Weekly report
objective: Tell what changed
maxParallel: 4
steps:
  - name: Fetch
    action: llm_generate
    params: { prompt: "What is new? {{Fetch.a}}" }
  - name: Decide
    action: conditional
    params: { condition: '{{Fetch}} == "yes" && size(results.Fetch) > 2', then: Tell }
  - name: Tell
    action: notify
    needs: [Decide]
    isCheckpoint: true
    params:
      title: |
        It is {{Decide}}
`;

const AGENTS = `mine:
  title: Mine
  speaks: acp
  argv: [mine, --port, "{url}"]
  models: messages
  env: { MY_KEY: "{token}" }
  install: npm install mine
  url: https://example.org
other:
  title: Other
  speaks: command
  argv: [other, "{prompt}"]
  models: own
  output: jsonl
  field: result.text
  exits: { 1: login }
  install: npm install other
  url: https://example.org
`;

const SCENARIO = `version: 1
title: One file
plan:
  title: Greeting
  phases:
    - title: Greet
      objective: There is a greeting.
      acceptance_criteria: [hello.txt says hello]
      features:
        - { name: Hello, description: Write it., category: files }
features:
  Hello:
    attempts:
      - turns:
          - text: I write the file.
            calls: [{ tool: report, input: { outcome: done, summary: Wrote it. } }]
`;

const DIFF = `diff --git a/x.ts b/x.ts
index 1..2 100644
--- a/x.ts
+++ b/x.ts
@@ -1,2 +1,2 @@
-a
+b
 c
`;

/** Of both, or neither. */
const together =
  (...readers: readonly ((text: string) => unknown)[]) =>
  (text: string): unknown =>
    readers.map((read) => {
      try {
        return read(text);
      } catch (thrown) {
        if (thrown instanceof Error && 'code' in thrown) return thrown.code;
        throw thrown;
      }
    });

/** What stands for nothing, or comes to too much, is told by a `Misfit`: seed 20261143 came to over a million characters. */
function filled(text: string): unknown {
  try {
    return fillWith({ action: 'notify', params: { text } }, [], () => RESULT);
  } catch (thrown) {
    if (thrown instanceof Misfit) return thrown.message;
    throw thrown;
  }
}

export const TEXTS: readonly Parser[] = [
  {
    name: 'PROJECT.md',
    isDear: true,
    corpus: [PROJECT, PROJECT.replaceAll('\n', '\r\n'), '---\nname: a\n---\n', `\ufeff${PROJECT}`],
    words: [
      'dayUsd: ',
      'never',
      'null',
      '1d',
      '\n---\n',
      '__proto__: x\n',
      'constructor: 1\n',
      '__proto__: { a: 1 }\n',
      'executors:\n  planner: builtin\n',
    ],
    read: (text) => parseDefinition(text).file,
    print: printDefinition,
  },
  {
    name: 'frontmatter of a skill',
    corpus: [PROJECT, '---\nname: s\ndescription: >\n  long\n---\nbody'],
    read: (text) => [...readFields(splitFrontmatter(text).yaml)],
  },
  {
    name: 'task YAML',
    isDear: true,
    corpus: [TASK, 'name: T\nsteps:\n  - { name: A, action: wait, params: { minutes: 5 } }\n'],
    words: [
      'action: ',
      'params: ',
      'needs: ',
      'parameters:\n  - name: x\n',
      'output: { type: object }',
      '{{Fetch.a[0]}}',
      'onError: retry',
    ],
    read: (text) => readTaskText(text, NOW, null).task ?? undefined,
    print: (task: Parameters<typeof writeTaskText>[0]) => writeTaskText(task),
  },
  {
    name: 'plan YAML',
    isDear: true,
    corpus: [planYaml(planOf({ Core: ['A', 'B < A'], More: ['C < B'] }), '# plan'), 'title: x\nphases: []\n'],
    words: ['phases:', 'features:', 'depends_on: [A]', 'verify_commands: ', '&a', '*a', '? ', '!!set'],
    read: (text) => {
      const plan = readPlan(text);
      return plan.outcome === 'faults' ? undefined : plan;
    },
  },
  {
    name: 'agents.yaml',
    isDear: true,
    corpus: [AGENTS, '{}', 'a: *b'],
    words: ['&x', '*x', '<<: *x', 'command: ', 'env: { A: b }', '__proto__:\n  title: x\n'],
    read: ownAgents,
  },
  {
    name: 'scenario',
    isDear: true,
    corpus: [SCENARIO, JSON.stringify(parse(SCENARIO))],
    words: ['turns:', 'calls: ', '&a', '*a', '- ', 'attempts: []'],
    read: (text) => checkScenario(scenarioValue(text, 's'), 's'),
  },
  {
    name: 'condition of a task',
    corpus: [
      '{{Fetch}} == "yes"',
      'size({{Fetch.a}}) > 2 && {{Decide.ok}}',
      '{{Fetch.a[1].b}}.startsWith("x") ? true : false',
      '{{__proto__.n}} > 1 || {{constructor.ok}}',
    ],
    words: [
      'results.',
      '{{__proto__}}',
      '{{constructor.name}}',
      'matches("(a+)+$")',
      '.contains("x")',
      ' in ',
      'has(results.Fetch)',
      '[1,2].all(x, x > 0)',
      '? true : false',
      'map(x, x)',
    ],
    read: (text) => {
      const condition = readCondition(text, NAMES);
      return 'problem' in condition ? condition : decide(condition, () => RESULT);
    },
  },
  {
    name: 'references of a text',
    corpus: ['a {{Fetch}} b {{Fetch.a[0].b}} \\{{c}}', '{{ }}{{{x}}}'],
    words: ['{{Fetch}}', '\\{{', '}}', '{{Fetch.', '[0]'],
    read: (text) => [pieces(text), filled(text)],
  },
  {
    name: 'times of a schedule',
    corpus: ['0 9 * * 1-5', '*/15 * * * *', '30 2 29 2 *', '* * * * * *', '0 0 L * *', '0 0 * * 5#2'],
    words: ['*', '/', '-', ',', 'L', 'W', '#', '?', 'MON', '@daily', '99', '0-59/0'],
    read: (cron) => nextTimes({ cron, time_zone: 'Europe/Berlin' }, NOW, 3),
  },
  {
    name: 'command line of a policy',
    corpus: ['npm test -- --run "a b"', "git log --format='%H' -1", 'a\\ b "c\\"d"'],
    words: ['$(', '`', '\\', '&&', '|', '>', "'", '"'],
    read: parseArgv,
  },
  {
    name: 'request of a spool',
    corpus: [`${REQUEST_MAGIC}\0${2}\0status\0list\0`, `${REQUEST_MAGIC}\0${0}\0`],
    words: ['\0', '0', '99999'],
    read: (text) => parseRequest(Buffer.from(text)),
  },
  {
    name: 'words of the command line',
    corpus: ['1', '2.50', '30m', 'plan,merge', 'worker=cline', 'none'],
    words: ['=', ',', '-', 'e', '.', 'Infinity', 'planner=', '__proto__=a'],
    read: together(
      (text) => parseId(text, 'a'),
      (text) => parseUsd(text, '--budget'),
      (text) => parseAmount(text, '--budget'),
      parseGates,
      (text) => parseModels([text]),
      (text) => parseExecutors([text]),
    ),
  },
  {
    name: 'assignment line',
    corpus: [
      formatAssignment({ role: 'worker', phase: 'Core', feature: 'A "b"', featureId: 3, attempt: 2 }),
      formatAssignment({ role: 'reviewer', phase: 'Core', feature: null, attempt: 1 }),
      formatAssignment({ role: 'planner', attempt: 1 }),
    ],
    read: (text) => parseAssignment(text) ?? undefined,
    print: (assignment: Parameters<typeof formatAssignment>[0]) => formatAssignment(assignment),
  },
  {
    name: 'turn line of a project',
    corpus: [
      formatProjectTurn({ kind: 'messages', project: 'web', ids: [3, 4] }),
      formatProjectTurn({ kind: 'subagent', project: 'web', session: 4 }),
      formatProjectTurn({ kind: 'summary', project: 'main' }),
    ],
    read: (text) => parseProjectTurn(text) ?? undefined,
    print: (turn: Parameters<typeof formatProjectTurn>[0]) => formatProjectTurn(turn),
  },
  {
    name: 'unified diff',
    corpus: [DIFF, `${DIFF}${DIFF}`],
    words: ['@@ ', '+', '-', 'diff --git '],
    read: (text) => [diffTotals(text), unifiedDiff(DIFF, text, 'x.ts').length],
  },
  {
    name: 'files that may be run',
    corpus: [
      'package.json\n{"scripts":{"postinstall":"x"}}',
      '.vscode/tasks.json\n{}',
      'a/.git/hooks/x\n',
      'Makefile\nall:',
    ],
    words: ['/', '.git', 'scripts', 'postinstall', '..', '.husky/'],
    read: (text) => {
      const [path = '', ...lines] = text.split('\n');
      return executablePaths([path], () => ({ before: null, after: lines.join('\n') }));
    },
  },
];
