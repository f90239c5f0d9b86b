/** Default replies of a project, the main agent and a subagent without a script: they note the message, and report it. */
import type { TalkScript } from './scenario.ts';

export const genericProject: TalkScript = {
  replies: [
    {
      turns: [
        {
          text: 'I note the message, and report it (simulated).',
          calls: [
            {
              tool: 'memory',
              input: {
                command: 'create',
                path: '/memories/facts/message-{{messageId}}.md',
                file_text: '# Message {{messageId}}\n\n{{message}}\n',
              },
            },
            // Without the text of the message: it may name other projects, and a person would be asked about these.
            { tool: 'notify', input: { text: 'I noted message {{messageId}} in my memory (simulated).' } },
          ],
        },
        { text: 'It is in my memory now (simulated).', calls: [] },
      ],
    },
  ],
};

export const genericMain: TalkScript = {
  replies: [
    {
      turns: [
        { text: '', calls: [{ tool: 'list_projects', input: {} }] },
        { text: 'I am a simulated model. These are the projects:\n\n{{result}}', calls: [] },
      ],
    },
  ],
};

export const genericSubagent: TalkScript = {
  replies: [{ turns: [{ text: 'Looked into it (simulated): {{message}}', calls: [] }] }],
};
