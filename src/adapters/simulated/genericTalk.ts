/** What any project, the main agent and any subagent say where a scenario has nothing for them: they note it, and say so. */
import type { TalkScript } from './scenario.ts';

export const genericProject: TalkScript = {
  replies: [
    {
      turns: [
        {
          text: 'I note what I was told, and say that I did (simulated).',
          calls: [
            {
              tool: 'memory',
              input: {
                command: 'create',
                path: '/memories/facts/message-{{messageId}}.md',
                file_text: '# Message {{messageId}}\n\n{{message}}\n',
              },
            },
            // Without its words: they may name other projects, which somebody would be asked about.
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
