import { describe, expect, test } from 'vitest';
import { SimulatedModel } from '../../../../src/adapters/simulated/model.ts';
import { checkScenario, type Scenario } from '../../../../src/adapters/simulated/scenario.ts';
import { summaryOpening } from '../../../../src/engine/session/prompts/conversationSummary.ts';
import { messagesTurn } from '../../../../src/engine/session/prompts/project.ts';
import { subagentOpening } from '../../../../src/engine/session/prompts/subagent.ts';
import type { Message } from '../../../../src/engine/session/transcript/messages.ts';
import type { MessageRow, Sender } from '../../../../src/shared/project/projects.ts';
import { formatProjectTurn, type ProjectTurn } from '../../../../src/shared/workspace/assignment.ts';
import {
  replyOf,
  smallScenario,
  type TestMessage,
  type TestReply,
} from '../../../support/provider/simulatedRequests.ts';
import { messageRow } from '../../../support/state/builders.ts';

const message = (id: number, sender: Sender, text: string): MessageRow =>
  messageRow({ id, project_id: 'api', direction: 'in', sender, text });

const says = (text: string) => ({ turns: [{ text }] });

const scenario = smallScenario({
  projects: {
    api: {
      replies: [
        {
          when: 'Look',
          turns: [
            { text: 'I look.', calls: [{ tool: 'glob', input: { pattern: '**' } }] },
            { text: 'Found: {{result}}' },
          ],
        },
        { when: 'look', ...says('second look') },
        { when: 'tell', ...says('{{project}} heard #{{messageId}}: {{message}}') },
        says('first of the rest'),
        says('second of the rest'),
      ],
    },
    narrow: { replies: [{ when: 'look', ...says('narrow') }] },
  },
  main: { replies: [says('the main agent')] },
  subagents: { replies: [{ when: 'docs', ...says('a subagent') }] },
});

let lastId = 0;

/** A conversation with a model that is made anew for each request: it has nothing to remember by. */
class Conversation {
  readonly #scenario: Scenario;
  readonly #asked: (id: number) => ProjectTurn;
  readonly messages: TestMessage[] = [];

  constructor(project: string, script = scenario, asked?: (id: number) => ProjectTurn) {
    this.#scenario = script;
    this.#asked = asked ?? ((id) => ({ kind: 'messages', project, ids: [id] }));
  }

  tell(text: string): string {
    const line = formatProjectTurn(this.#asked(++lastId));
    this.messages.push({ role: 'user', content: `${line}\n\n${text}` });
    return this.next();
  }

  /** The results of the last reply's calls, and on. */
  answered(result: unknown): string {
    const calls = ((this.messages.at(-1)?.content ?? []) as TestReply['content']).filter(
      ({ type }) => type === 'tool_use',
    );
    const content = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
    this.messages.push({ role: 'user', content });
    return this.next();
  }

  next(): string {
    const { content } = replyOf(new SimulatedModel(this.#scenario), this.messages);
    this.messages.push({ role: 'assistant', content });
    return content
      .map((block) => ('text' in block ? String(block.text) : `${block.name} ${JSON.stringify(block.input)}`))
      .join(' | ');
  }
}

describe('what a project says', () => {
  test('is the reply to the first text that its message has, in whatever case', () => {
    const api = new Conversation('api');
    expect(api.tell('please LOOK at the API and tell')).toBe('I look. | glob {"pattern":"**"}');
    expect(api.answered([{ type: 'text', text: 'a.ts' }])).toBe('Found: a.ts');
  });

  test('is the nth of those for the nth such message, and the last of them from then on', () => {
    const api = new Conversation('api');
    expect(api.tell('hello')).toBe('first of the rest');
    expect(api.tell('look')).toContain('I look.');
    expect(api.answered('x')).toBe('Found: x');
    expect(api.tell('hello')).toBe('second of the rest');
    expect(api.tell('look')).toBe('second look');
    expect(api.tell('look')).toBe('second look');
    expect(api.tell('hello')).toBe('second of the rest');
  });

  test('knows the project, the message and its number', () => {
    const api = new Conversation('api');
    expect(api.tell('tell\n\n  me more ')).toBe(`api heard #${lastId}: tell\n\n  me more`);
  });

  test('ends in words when its script ends in calls, however often it is asked', () => {
    const calls = [{ tool: 'notify', input: { text: 'x' } }];
    const api = new Conversation('api', smallScenario({ projects: { api: { replies: [{ turns: [{ calls }] }] } } }));
    expect(api.tell('go')).toContain('notify');
    expect(api.answered('ok')).toBe('Done (simulated).');
    api.messages.push({ role: 'user', content: 'Go on.' });
    expect(api.next()).toBe('Done (simulated).');
  });

  test('falls to the reply of any project, and to a note and a word that it is noted', () => {
    const other = smallScenario({ otherwise: { project: { replies: [says('any project')] } } });
    expect(new Conversation('unheard', other).tell('hi')).toBe('any project');
    for (const name of ['narrow', 'unheard', '__proto__']) {
      const generic = new Conversation(name);
      const first = generic.tell('a breaking change');
      expect(first).toContain(`memory {"command":"create","path":"/memories/facts/message-${lastId}.md"`);
      expect(first).toContain('a breaking change');
      expect(first).toContain(`notify {"text":"I noted message ${lastId} in my memory (simulated)."}`);
      expect(generic.answered('ok')).toContain('memory');
    }
  });

  test('answers several messages of one round one after the other, without what the prompt puts around them', () => {
    const round = smallScenario({
      projects: {
        api: {
          replies: [
            {
              when: 'look',
              turns: [{ calls: [{ tool: 'glob', input: { pattern: '{{messageId}}' } }] }, { text: 'Looked.' }],
            },
            { when: 'tell', turns: [{ text: '{{messageId}}: {{message}}' }] },
          ],
        },
      },
    });
    const messages = [
      message(3, 'project', 'look here\n\nand there'),
      message(4, 'steward', 'tell me'),
      message(7, 'engine', 'tell'),
    ];
    const { text } = messagesTurn('api', messages, () => 'web');
    const api = new Conversation('api', round);
    api.messages.push({
      role: 'user',
      content: [
        { type: 'text', text: 'Your memory: nothing.' },
        { type: 'text', text },
      ],
    });
    expect(api.next()).toBe('glob {"pattern":3}');
    expect(api.answered('x')).toBe('Looked.\n\n4: tell me\n\n7: tell');
  });

  test('sums up what a conversation was told', () => {
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: '[project api message 1,2]\nthe first thing\nand more' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'user', content: '[project api message 3]\nthe second thing' },
    ];
    const asked = [{ role: 'user' as const, content: summaryOpening('api', messages) }];
    const [block] = replyOf(new SimulatedModel(scenario), asked).content;
    expect(block).toMatchObject({
      text: expect.stringMatching(/Messages of api so far.*\n- the first thing\n- the second thing$/),
    });
  });
});

describe('the main agent', () => {
  test('has a script of its own, or lists the projects and tells', () => {
    expect(new Conversation('main').tell('hi')).toBe('the main agent');
    const generic = new Conversation('main', smallScenario());
    expect(generic.tell('what is going on?')).toBe('list_projects {}');
    expect(generic.answered('api: active')).toContain('These are the projects:\n\napi: active');
  });
});

test('a subagent has the replies of subagents, whoever spawned it', () => {
  const asked = (): ProjectTurn => ({ kind: 'subagent', project: 'api', session: 4 });
  expect(new Conversation('api', scenario, asked).tell('look through the docs')).toBe('a subagent');
  expect(new Conversation('api', scenario, asked).tell('look')).toBe('Looked into it (simulated): look');
  const opening = subagentOpening('api', 4, 'toolu_1', 'look\nwell');
  const [block] = replyOf(new SimulatedModel(scenario), [{ role: 'user', content: opening }]).content;
  expect(block).toMatchObject({ text: 'Looked into it (simulated): look\nwell' });
});

test('a reply without turns, and one that listens for nothing, are no script', () => {
  for (const reply of [{ turns: [] }, { when: '', ...says('x') }]) {
    const value = { ...smallScenario(), projects: { api: { replies: [reply] } } };
    expect(() => checkScenario(value, 's')).toThrow('projects.api.replies[0]');
  }
});
