/** The guided coach behind the port: on the practices that learners get. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { CoachReview, type Turn } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { coachSuite } from '../coach.suite.ts';
import { aConversation, coachSaid, collect, held, learnerSaid } from '../test-kit/builders.ts';
import { candidateReplies, openConversation } from './converse.ts';
import { createGuidedCoach, type GuidedPractice } from './guided-coach.ts';

const catalogue = loadStarterCatalogue();
const never = new AbortController().signal;

function practiceNamed(sought: string): GuidedPractice {
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
    seed: 7,
    objectives: catalogue.objectives.filter(({ objectiveId }) => idsInPractice.has(objectiveId)),
  };
}

const asking = practiceNamed('Ask a colleague for help');
const repliesTo = (practice: GuidedPractice, node: string | null) =>
  candidateReplies({ ...practice, node: node ?? practice.dialogue.start });

describe.each(catalogue.practices.map(({ title }) => title))('the guided coach in “%s”', (title) => {
  const practice = practiceNamed(title);
  coachSuite(() => ({
    coach: createGuidedCoach(practice),
    objectiveIds: practice.objectives.map(({ objectiveId }) => objectiveId),
    answer: ({ node }) =>
      repliesTo(practice, node).toSorted((a, b) => b.proves.length - a.proves.length)[0]?.text ?? 'Goodbye.',
  }));
});

describe('the guided coach', () => {
  const opening = (): Turn => coachSaid('', openConversation(asking));

  it('meets what fits nowhere with another rephrasing each time, and says that it found no place', async () => {
    const turns: Turn[] = [opening()];
    const lines: string[] = [];
    for (const text of ['The moon is blue.', 'Bananas!', 'La la la.']) {
      turns.push(learnerSaid(text, { fitted: false }));
      const last = (await collect(createGuidedCoach(asking).reply(held(turns), never))).at(-1);
      expect(last).toMatchObject({ type: 'line', fitted: false, line: { kind: 'rephrase' } });
      if (last?.type === 'line') {
        lines.push(last.line.text);
        turns.push(coachSaid('', last.line));
      }
    }
    expect(new Set(lines).size).toBe(3);
  });

  it('begins its rephrasings anew where the conversation has gone on', async () => {
    const { rephrase } = asking.dialogue.nodes.find(({ key }) => key === asking.dialogue.start) ?? { rephrase: [] };
    const earlier = [coachSaid('Once more?', { kind: 'rephrase', node: 'earlier' }), learnerSaid('This fitted.')];
    const turns = [...earlier, opening(), learnerSaid('The moon is blue.')];
    const events = await collect(createGuidedCoach(asking).reply(held(turns), never));
    expect(events.at(-1)).toMatchObject({ line: { text: expect.stringContaining(rephrase[0] ?? '?') } });
  });

  it('proves with the learner’s own spelling of the words', async () => {
    const turns = [opening(), learnerSaid('can you HELP me,please')];
    const easy = { ...asking, difficulty: 'easy' as const };
    const events = await collect(createGuidedCoach(easy).reply(held(turns), never));
    expect(events).toContainEqual(expect.objectContaining({ type: 'proved', words: 'can you HELP me,please' }));
  });

  it('offers what fits where it waits', async () => {
    const [turn] = [opening()];
    const here = repliesTo(asking, asking.dialogue.start).map(({ text }) => text);
    expect(await createGuidedCoach(asking).hint(held([turn]), { level: 3, signal: never })).toEqual(here);
  });

  it('keeps a review within its bounds, however long an objective is described', async () => {
    const wordy = {
      ...asking,
      objectives: asking.objectives.map((one) => ({ ...one, description: 'so on '.repeat(99) })),
    };
    const coach = createGuidedCoach(wordy);
    const ids = wordy.objectives.map(({ objectiveId }) => objectiveId);
    const talk = aConversation('Hello?', 'Can you help me, please?');
    for (const of of [held(talk), held(talk, ...ids.slice(0, 1))]) {
      expect(CoachReview.safeParse(await coach.review(of, never)).success).toBe(true);
    }
  });
});
