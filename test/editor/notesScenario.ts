const NOTES = ['First note', 'Second note', 'Third note'] as const;

/** A simulated model that needs no command, so that nothing asks but the gates. It writes up to three notes. */
export function notes(count: number): object {
  return {
    version: 1,
    title: 'Notes',
    plan: {
      title: 'Plain notes',
      phases: [
        {
          title: 'Write',
          objective: 'There are notes.',
          acceptance_criteria: ['There are notes.'],
          verify_commands: [],
          features: NOTES.slice(0, count).map((name) => ({
            name,
            description: `Write the ${name.toLowerCase()}.`,
            category: 'notes',
          })),
        },
      ],
    },
    otherwise: {
      feature: {
        attempts: [
          {
            turns: [
              { calls: [{ tool: 'write', input: { file_path: 'notes/{{slug}}.md', content: '{{feature}}\n' } }] },
              { calls: [{ tool: 'report', input: { outcome: 'done', summary: 'Wrote it.' } }] },
            ],
          },
        ],
      },
      phase: { reviews: [{ verdict: { verdict: 'APPROVED', reason: 'They are there.' } }], summaries: ['Notes.'] },
    },
  };
}
