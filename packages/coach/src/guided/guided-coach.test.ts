/** The guided coach behind the `Coach` interface, on the practices that ship. */
import { loadSharedUnderstanding, loadStarterCatalogue } from '@parley/catalogue';
import { CoachReview, type Turn } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachSuite } from '../coach.suite.ts';
import { someTurns, coachSaid, collect, aConversationState, learnerSaid } from '../test-kit/builders.ts';
import { WRITTEN_DIALOGUE } from '../test-kit/written-dialogue.ts';
import { createUnderstanding } from '../understanding/index.ts';
import { candidateReplies, openConversation } from './dialogue-engine.ts';
import { createGuidedCoach, type GuidedPractice } from './guided-coach.ts';

const catalogue = loadStarterCatalogue();
const understanding = createUnderstanding(loadSharedUnderstanding);
const notAborted = new AbortController().signal;

function findPractice(sought: string): GuidedPractice {
  const practice = catalogue.practices.find(({ title }) => title === sought);
  const persona = catalogue.aiAgentProfiles.find(({ agentId }) => agentId === practice?.agentId);
  const dialogue = practice?.dialogue ?? null;
  if (practice === undefined || dialogue === null || persona === undefined) throw new Error(`no dialogue "${sought}"`);
  const idsInPractice = new Set(
    catalogue.practiceObjectives
      .filter(({ practiceId }) => practiceId === practice.practiceId)
      .map(({ objectiveId }) => objectiveId),
  );
  return {
    title: practice.title,
    dialogue,
    difficulty: 'intermediate',
    manner: persona.manner,
    coachName: persona.name,
    sceneCoach: understanding.coachFor(dialogue, { coachName: persona.name, seed: 7 }),
    seed: 7,
    objectives: catalogue.objectives.filter(({ objectiveId }) => idsInPractice.has(objectiveId)),
  };
}

const freeHelpPractice = findPractice('Ask a colleague for help');
const helpPractice: GuidedPractice = { ...freeHelpPractice, dialogue: WRITTEN_DIALOGUE, sceneCoach: null };
const repliesTo = (practice: GuidedPractice, node: string | null) =>
  candidateReplies({ ...practice, node: node ?? practice.dialogue.start });

describe.each([
  ['model replies', helpPractice],
  ['free answers', freeHelpPractice],
] as const)('guided coach that recognises %s', { timeout: 60_000 }, (_, practice) => {
  coachSuite(() => ({
    coach: createGuidedCoach(practice),
    objectiveIds: practice.objectives.map(({ objectiveId }) => objectiveId),
    answer: ({ node }) =>
      repliesTo(practice, node).toSorted((a, b) => b.proves.length - a.proves.length)[0]?.text ?? 'Goodbye.',
  }));
});

describe('guided coach', () => {
  const opening = (): Turn => coachSaid('', openConversation(helpPractice));

  it('answers each unmatched reply with another rephrasing and reports no match', async () => {
    const turns: Turn[] = [opening()];
    const lines: string[] = [];
    for (const text of ['The moon is blue.', 'Bananas!', 'La la la.']) {
      turns.push(learnerSaid(text, { fitted: false }));
      const last = (await collect(createGuidedCoach(helpPractice).reply(aConversationState(turns), notAborted))).at(-1);
      expect(last).toMatchObject({ type: 'line', fitted: false, line: { kind: 'rephrase' } });
      if (last?.type === 'line') {
        lines.push(last.line.text);
        turns.push(coachSaid('', last.line));
      }
    }
    expect(new Set(lines).size).toBe(3);
  });

  it('restarts its rephrasings after the conversation has moved on', async () => {
    const { rephrase } = helpPractice.dialogue.nodes.find(({ key }) => key === helpPractice.dialogue.start) ?? {
      rephrase: [],
    };
    const earlier = [coachSaid('Once more?', { kind: 'rephrase', node: 'earlier' }), learnerSaid('This fitted.')];
    const turns = [...earlier, opening(), learnerSaid('The moon is blue.')];
    const events = await collect(createGuidedCoach(helpPractice).reply(aConversationState(turns), notAborted));
    expect(events.at(-1)).toMatchObject({ line: { text: expect.stringContaining(rephrase[0] ?? '?') } });
  });

  it('quotes proofs in the learner’s spelling', async () => {
    const turns = [opening(), learnerSaid('can you HELP me,please')];
    const easy = { ...helpPractice, difficulty: 'easy' as const };
    const events = await collect(createGuidedCoach(easy).reply(aConversationState(turns), notAborted));
    expect(events).toContainEqual(expect.objectContaining({ type: 'proved', words: 'can you HELP me,please' }));
  });

  it('offers hints for the current node', async () => {
    const [turn] = [opening()];
    const here = repliesTo(helpPractice, helpPractice.dialogue.start).map(({ text }) => text);
    expect(
      await createGuidedCoach(helpPractice).hint(aConversationState([turn]), { level: 3, signal: notAborted }),
    ).toEqual(here);
  });

  it('keeps a review within its limits for a very long objective', async () => {
    const wordy = {
      ...helpPractice,
      objectives: helpPractice.objectives.map((one) => ({ ...one, description: 'so on '.repeat(99) })),
    };
    const coach = createGuidedCoach(wordy);
    const ids = wordy.objectives.map(({ objectiveId }) => objectiveId);
    const turns = someTurns('Hello?', 'Can you help me, please?');
    for (const of of [aConversationState(turns), aConversationState(turns, ...ids.slice(0, 1))]) {
      expect(CoachReview.safeParse(await coach.review(of, notAborted)).success).toBe(true);
    }
  });
});
