/** A session with a turn that was never measured, and whose audio this device cannot read when the session ends. */
import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  sendRecordedTurn,
  startPractice,
} from '../../test-kit/open-host.ts';

let opened: OpenHost;
afterEach(() => opened.host.close());

async function say({ ask }: OpenHost, sessionId: string): Promise<string> {
  const { recordingId } = await sendRecordedTurn(ask, sessionId);
  return recordingId;
}

it.each([
  ['is missing', (file: string) => rmSync(file)],
  ['is damaged', (file: string) => truncateSync(file, 20)],
])('a turn whose audio %s gets no score, and the others get theirs', async (_, spoil) => {
  let isBroken = true;
  const scorer = aScriptedScorer({
    assess: (text) => {
      if (isBroken) throw new Error('the model is gone');
      return anAssessment(text);
    },
  });
  opened = await openHost({ scorer });
  const { sessionId } = await startPractice(opened.ask, 'audio');
  const unmeasured = await say(opened, sessionId);
  isBroken = false;
  const measured = await say(opened, sessionId);
  spoil(join(opened.dataDir, 'recordings', `${unmeasured}.wav`));

  const { status, dimensions, session } = await opened.ask.practice.finish({ sessionId });
  expect([status, dimensions.pron]).toEqual(['completed', 74]);
  const scores = session.turns.flatMap((turn) =>
    turn.role === 'learner' ? [[turn.recordingId, turn.assessment?.pron ?? null]] : [],
  );
  expect(scores).toEqual([
    [unmeasured, null],
    [measured, 74],
  ]);
});
