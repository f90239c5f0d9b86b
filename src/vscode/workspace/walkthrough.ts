/**
 * The steps of the walkthrough on the editor's welcome page. A command that has a key binding gets an empty list of arguments (`?%5B%5D`): without it
 * VS Code shows the key beside the button, although the key works only in the views of Autonomous.
 */

const step = (id: string, title: string, description: string, ...completionEvents: string[]) => ({
  id,
  title,
  description,
  media: { markdown: `media/walkthrough/${id}.md` },
  completionEvents,
});

export const WALKTHROUGH = {
  id: 'autonomous.start',
  title: 'Get started with Autonomous',
  description: 'From a brief to a merged result in two minutes, without a key.',
  icon: 'media/icon.png',
  steps: [
    step(
      'demo',
      'Try the demo brief',
      'A simulated model works on a sample repository.\n[Try the Demo](command:autonomous.tryDemo)',
      'onContext:autonomous.hasTried',
    ),
    step(
      'board',
      'Watch the board',
      'Each card is a feature of the plan.\n[Open Board](command:autonomous.openBoard?%5B%5D)',
      // An empty board has nothing to watch.
      'onContext:autonomous.hasJob && activeWebviewPanelId == autonomous.board',
    ),
    step(
      'approve',
      'Answer an approval',
      'The plan needs your approval before it runs.\n[Approve](command:autonomous.approve)',
      'onContext:autonomous.hasApproved',
    ),
    step(
      'diff',
      'See the diff',
      'All changed files of the result.\n[Review Changes](command:autonomous.reviewChanges?%5B%5D)',
      'onContext:autonomous.reviewing',
    ),
    step(
      'merge',
      'Merge',
      'Approve at the merge gate.\n[Approve](command:autonomous.approve)',
      'onContext:autonomous.hasMerged',
    ),
    step(
      'model',
      'Use a real model',
      'Set a key, or choose a model of the editor; let your own agent do the work, if you like.\n[Set API Key](command:autonomous.setApiKey)\n[Choose Provider](command:autonomous.chooseProvider)\n[Choose Agent](command:autonomous.chooseAgent)',
      'onCommand:autonomous.setApiKey',
      'onCommand:autonomous.chooseProvider',
    ),
  ],
} as const;
