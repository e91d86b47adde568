/** The guided coach on a dialogue that only recognises model replies. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { type CoachUtterance, Dialogue, DialogueReply, PRACTICE_DIFFICULTIES } from '@parley/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WRITTEN_DIALOGUE } from '../test-kit/written-dialogue.ts';
import { answerReply, candidateReplies, type GuidedScene, openConversation } from './dialogue-engine.ts';
import { buildHints } from './hints.ts';
import { matchTypedReply } from './match-reply.ts';
import { proveObjectives } from './prove-objectives.ts';
import { handOverScene } from './take-over.ts';

const catalogue = loadStarterCatalogue();
const [profile] = catalogue.aiAgentProfiles;
if (profile === undefined) throw new Error('there is no coach');
const scenes = PRACTICE_DIFFICULTIES.map((difficulty) => ({
  name: difficulty,
  scene: {
    dialogue: WRITTEN_DIALOGUE,
    difficulty,
    manner: profile.manner,
    coachName: profile.name,
    sceneCoach: null,
    seed: 7,
  } satisfies GuidedScene,
}));

interface PlayedConversation {
  lines: CoachUtterance[];
  said: DialogueReply[];
  proved: Set<string>;
  ended: boolean;
}

/** Plays a conversation to its end; `choose` picks the learner's reply from the candidates. */
function playToEnd(
  scene: GuidedScene,
  choose: (candidates: readonly DialogueReply[], turn: number) => number,
): PlayedConversation {
  const lines = [openConversation(scene)];
  const said: DialogueReply[] = [];
  const proved = new Set<DialogueReply['proves'][number]['objective']>();
  for (let turn = 1; turn <= 30; turn += 1) {
    const { node: at, kind } = lines.at(-1) ?? openConversation(scene);
    const node = at ?? '';
    if (kind === 'goodbye') return { lines, said, proved, ended: true };
    const candidates = candidateReplies({ ...scene, node });
    const reply = candidates[choose(candidates, turn) % candidates.length];
    if (reply === undefined) break;
    const proofs = proveObjectives({ reply, text: reply.text, assessment: null, already: proved });
    proofs.forEach(({ objective }) => proved.add(objective));
    said.push(reply);
    lines.push(answerReply(scene, { node, reply, provedObjective: proofs.length > 0, misses: 0, turnCount: turn }));
  }
  return { lines, said, proved, ended: false };
}

describe('written dialogue', () => {
  it.each(scenes)('$name: ends for any replies and never repeats a line', ({ scene }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 30, maxLength: 30 }), (choices) => {
        const { ended, lines } = playToEnd(scene, (_, turn) => choices[turn - 1] ?? 0);
        const nodes = lines.map(({ node }) => node);
        return ended && new Set(nodes).size === nodes.length && lines.every(({ text }) => text.trim().length > 1);
      }),
      { numRuns: 30, seed: 20_261_118 },
    );
  });

  it.each(scenes)('$name: can complete every objective in one session', ({ scene }) => {
    const possible = new Set(
      scene.dialogue.nodes.flatMap((node) =>
        node.replies[scene.difficulty].flatMap(({ proves }) => proves.map(({ objective }) => objective)),
      ),
    );
    const best = [0, 1, 2].map((choice) => playToEnd(scene, () => choice).proved);
    const greedy = playToEnd(scene, (candidates) => {
      const counts = candidates.map(({ proves }) => proves.length);
      return counts.indexOf(Math.max(...counts));
    }).proved;
    expect(Math.max(greedy.size, ...best.map(({ size }) => size))).toBe(possible.size);
  });

  it.each(scenes)('$name: proves objectives with the learner’s own words', ({ scene }) => {
    for (const node of scene.dialogue.nodes) {
      for (const reply of node.replies[scene.difficulty]) {
        const proofs = proveObjectives({ reply, text: reply.text, assessment: null, already: new Set() });
        expect(proofs).toHaveLength(reply.proves.length);
        for (const { words } of proofs) expect(reply.text.toLowerCase()).toContain(words.toLowerCase());
        expect(proveObjectives({ reply, text: 'I do not want to say.', assessment: null, already: new Set() })).toEqual(
          [],
        );
      }
    }
  });

  it.each(scenes)('$name: recognises a carelessly typed reply', ({ scene }) => {
    for (const node of scene.dialogue.nodes) {
      const candidates = node.replies[scene.difficulty];
      for (const reply of candidates) {
        const careless = reply.text.toUpperCase().replaceAll(/[.,!?]/g, ' ');
        expect(matchTypedReply({ text: careless, candidates })?.reply, `"${reply.text}"`).toBe(reply);
      }
    }
  });

  it.each(scenes)('$name: offers all three hint levels', ({ scene }) => {
    for (const node of scene.dialogue.nodes) {
      const candidates = node.replies[scene.difficulty];
      const [keywords, openings, sentences] = ([1, 2, 3] as const).map((level) => buildHints(candidates, level));
      expect(sentences).toEqual(candidates.map(({ text }) => text));
      for (const [index, { text }] of candidates.entries()) {
        expect(keywords?.[index]?.length).toBeGreaterThan(0);
        const opening = openings?.[index]?.replace(/ …$/, '') ?? '';
        expect(text.startsWith(opening) && opening.length > 0).toBe(true);
      }
    }
  });

  it.each(scenes)('$name: rephrases unmatched replies, then suggests a sentence, and stays', ({ scene }) => {
    const node = openConversation(scene).node ?? '';
    const lines = [1, 2, 3, 4, 5].map((misses) =>
      answerReply(scene, { node, reply: null, provedObjective: false, misses, turnCount: misses }),
    );
    expect(lines.every((line) => line.kind === 'rephrase' && line.node === node)).toBe(true);
    expect(lines.at(-1)?.text).toContain(candidateReplies({ ...scene, node })[0]?.text);
    for (const [index, { text }] of lines.entries()) expect(text).not.toBe(lines[index - 1]?.text);
  });
});

it('says the name of the coach who plays, wherever a written dialogue asks for it', () => {
  const written = JSON.stringify(WRITTEN_DIALOGUE).replaceAll(/"(easy|intermediate|hard)":"/g, '"$1":"{coach} here. ');
  const dialogue = Dialogue.parse(
    JSON.parse(written.replaceAll(/"rephrase":\["/g, '"rephrase":["It is {coach} again. ')),
  );
  for (const { scene } of scenes.map((each) => ({ scene: { ...each.scene, dialogue } }))) {
    const { lines } = playToEnd(scene, () => 0);
    const node = openConversation(scene).node ?? '';
    const rephrased = answerReply(scene, { node, reply: null, provedObjective: false, misses: 1, turnCount: 1 });
    const said = [...lines, rephrased, handOverScene(scene, [])].map(({ text }) => text);
    for (const text of said) expect(text).toContain(profile.name);
    expect(said.join(' ')).not.toContain('{coach}');
  }
});

describe('guided conversation', () => {
  const [{ scene } = { scene: null }] = scenes;
  if (scene === null) throw new Error('the catalogue has no practice');

  it('branches on the learner’s reply', () => {
    const branching = scenes.filter(({ scene: each }) =>
      each.dialogue.nodes.some((node) => new Set(node.replies[each.difficulty].map(({ next }) => next)).size > 1),
    );
    expect(branching).toHaveLength(scenes.length);
  });

  it('is deterministic for a seed and uses the coach’s own phrases', () => {
    expect(playToEnd(scene, () => 0)).toEqual(playToEnd(scene, () => 0));
    const { manner } = scene;
    const second = playToEnd(scene, () => 0).lines[1]?.text ?? '';
    expect([...manner.praise, ...manner.acknowledge].some((phrase) => second.startsWith(phrase))).toBe(true);
  });

  it('sounds different with another coach', () => {
    const other = catalogue.aiAgentProfiles.find(({ manner }) => manner.praise[0] !== scene.manner.praise[0]);
    if (other === undefined) throw new Error('all coaches speak alike');
    const changed = playToEnd({ ...scene, manner: other.manner }, () => 0).lines.map(({ text }) => text);
    expect(changed).not.toEqual(playToEnd(scene, () => 0).lines.map(({ text }) => text));
  });
});

describe('typed reply', () => {
  const reply = (text: string): DialogueReply => ({ text, next: 'end', keyword: text, proves: [] });
  const candidates = [
    reply('The delivery will be two days late.'),
    reply('The delivery will arrive on time.'),
    reply('I cannot come to the meeting.'),
  ];
  it.each([
    ['the delivery will be 2 days late', 0],
    ['The delivery is two days late', 0],
    ['teh delivery will be two dasy late', 0],
    ['two days late', 0],
    ['The delivery will arrive on time!!!', 1],
    ["I can't come to the meeting", 2],
    ['I can not come to meeting', 2],
    ['I can come to the meeting', null],
    ['The delivery will not arrive on time.', null],
    ['The delivery', null],
    ['What time is lunch?', null],
    ['', null],
    ['…?!', null],
    ['delivery '.repeat(5_000), null],
    ["'; drop table users; --", null],
    ['我不知道', null],
  ])('"%.40s" means candidate %s', (text, expected) => {
    const match = matchTypedReply({ text, candidates });
    expect(match === null ? null : candidates.indexOf(match.reply)).toBe(expected);
  });
});

const FINISHED = DialogueReply.shape.proves.element.shape.objective.parse('finished');

describe('proveObjectives', () => {
  const reply: DialogueReply = {
    text: 'I finished the report yesterday.',
    next: 'end',
    keyword: 'report',
    proves: [{ objective: FINISHED, words: 'finished the report' }],
  };
  const said = (text: string, omitted: string[] = []) =>
    proveObjectives({
      reply,
      text,
      assessment: {
        source: 'device',
        durationMs: 2_000,
        snrDb: 30,
        accuracy: 80,
        fluency: 80,
        prosody: null,
        completeness: 90,
        pron: 80,
        words: text.split(' ').map((word) => ({
          word,
          startMs: 0,
          endMs: 1,
          accuracy: 80,
          error: omitted.includes(word) ? 'Omission' : 'None',
          phonemes: [],
        })),
        pitch: [],
        pauses: [],
      },
      already: new Set(),
    });

  it('accepts other wording but no omitted words', () => {
    expect(said('I finished the report yesterday')).toMatchObject([{ words: 'finished the report' }]);
    expect(said('The report is finished')).toMatchObject([{ words: 'The report is finished' }]);
    expect(said('I finished the report yesterday', ['report'])).toEqual([]);
    expect(said('I finished something')).toEqual([]);
  });

  it('proves an objective once, and never from unusable audio', () => {
    const again = { reply, text: reply.text, assessment: null, already: new Set([FINISHED]) };
    expect(proveObjectives(again)).toEqual([]);
  });
});
