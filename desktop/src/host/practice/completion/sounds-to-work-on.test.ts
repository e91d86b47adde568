import { type Assessment, PracticeId, readFeedbackText } from '@parley/domain';
import { expect, it } from 'vitest';
import { anAssessment, aScriptedScorer, type OpenHost, openHost, sendRecordedTurn } from '../../test-kit/open-host.ts';
import { aCatalogue, aPractice, LATE_DELIVERY, testId } from '../../test-kit/test-catalogue.ts';

const [FAR, NEAR] = [PracticeId.parse(testId(14)), PracticeId.parse(testId(15))];
const usefulWords = ['late', 'lost', 'luggage'].map((word) => ({ word, meaning: 'a word with an l' }));

/** Every word is clear enough, but its l is not. */
function weakSounds(text: string): Assessment {
  const assessment = anAssessment(text, () => 75);
  const words = assessment.words.map((word) => ({
    ...word,
    phonemes: word.phonemes.map((phoneme) => ({ ...phoneme, accuracy: 40 })),
  }));
  return { ...assessment, words };
}

async function practise({ ask }: OpenHost, practiceId: PracticeId = LATE_DELIVERY) {
  const { sessionId } = await ask.practice.start({
    practiceId,
    difficulty: 'easy',
    communicationStyle: 'audio',
  });
  for (let turn = 0; turn < 2; turn += 1) {
    await sendRecordedTurn(ask, sessionId);
  }
  const { feedback } = await ask.practice.finish({ sessionId });
  return readFeedbackText(feedback?.nextStep ?? '').point;
}

async function openWithPractices() {
  const catalogue = await aCatalogue();
  const others = [
    { ...aPractice(FAR, 'A far one', 'ready'), level: 'advanced' as const, usefulWords },
    { ...aPractice(NEAR, 'B near one', 'ready'), usefulWords: [] },
  ];
  return openHost({
    loadCatalogue: async () => ({ ...catalogue, practices: [...catalogue.practices, ...others] }),
    scorer: aScriptedScorer({ assess: weakSounds }),
  });
}

const nearOne = {
  code: 'practice_with_sound',
  sound: 'l',
  practiceId: NEAR,
  // Both words are in a reply.
  words: ['delivery', 'late'],
};

it('drills a sound that is new, and finds the nearest practice for one that stays weak', async () => {
  const opened = await openWithPractices();
  expect(await practise(opened)).toEqual({ code: 'drill_sound', sound: 'l' });
  expect(await practise(opened)).toEqual(nearOne);
  await opened.host.close();
});

it('repeats a practice of the same level before it suggests one of another level', async () => {
  const opened = await openWithPractices();
  await practise(opened, NEAR);
  expect(await practise(opened)).toEqual(nearOne);
  await opened.host.close();
});

it('does not send the learner to a review of words that they have taken off their list', async () => {
  const opened = await openHost({ scorer: aScriptedScorer({ assess: (text) => anAssessment(text, () => 40) }) });
  const step = await practise(opened);
  const words = step?.code === 'review_words' ? step.words : [];
  expect(words.length).toBeGreaterThan(1);
  const [unwanted = ''] = words;
  await opened.ask.review.mark({ word: unwanted, as: 'removed' });
  const next = await practise(opened);
  expect(next).toMatchObject({ code: 'review_words', words: expect.not.arrayContaining([unwanted]) });
  await opened.host.close();
});
