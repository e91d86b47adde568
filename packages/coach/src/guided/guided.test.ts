/** The guided coach on the practices that learners get: every dialogue, at each difficulty, in its coach's character. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { type CoachLine, DialogueReply, PRACTICE_DIFFICULTIES } from '@parley/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, candidateReplies, type GuidedScene, openConversation } from './converse.ts';
import { hintsFor } from './hints.ts';
import { matchTypedReply } from './match-reply.ts';
import { proveObjectives } from './prove-objectives.ts';

const catalogue = loadStarterCatalogue();
const scenes = catalogue.practices.flatMap(({ title, dialogue, agentId }) => {
  const coach = catalogue.aiAgentProfiles.find((profile) => profile.agentId === agentId);
  if (dialogue === null || coach === undefined) return [];
  return PRACTICE_DIFFICULTIES.map((difficulty) => ({
    name: `${title}, ${difficulty}`,
    scene: { dialogue, difficulty, manner: coach.manner, seed: 7 } satisfies GuidedScene,
  }));
});

interface HeldConversation {
  lines: CoachLine[];
  said: DialogueReply[];
  proved: Set<string>;
  ended: boolean;
}

/** Holds a conversation to its end; `choose` says which of the candidates the learner takes. */
function hold(
  scene: GuidedScene,
  choose: (candidates: readonly DialogueReply[], turn: number) => number,
): HeldConversation {
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
    lines.push(answer(scene, { node, reply, provedObjective: proofs.length > 0, misses: 0, turnCount: turn }));
  }
  return { lines, said, proved, ended: false };
}

describe('every practice', () => {
  it('is among those that are tried here', () => {
    expect(scenes).toHaveLength(36);
  });

  it.each(scenes)('$name: ends whichever replies a learner takes, each line of the coach said once', ({ scene }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 30, maxLength: 30 }), (choices) => {
        const { ended, lines } = hold(scene, (_, turn) => choices[turn - 1] ?? 0);
        const nodes = lines.map(({ node }) => node);
        return ended && new Set(nodes).size === nodes.length && lines.every(({ text }) => text.trim().length > 1);
      }),
      { numRuns: 30, seed: 20_261_118 },
    );
  });

  it.each(scenes)('$name: every objective can be reached in one session', ({ scene }) => {
    const possible = new Set(
      scene.dialogue.nodes.flatMap((node) =>
        node.replies[scene.difficulty].flatMap(({ proves }) => proves.map(({ objective }) => objective)),
      ),
    );
    const best = [0, 1, 2].map((choice) => hold(scene, () => choice).proved);
    const greedy = hold(scene, (candidates) => {
      const counts = candidates.map(({ proves }) => proves.length);
      return counts.indexOf(Math.max(...counts));
    }).proved;
    expect(Math.max(greedy.size, ...best.map(({ size }) => size))).toBe(possible.size);
  });

  it.each(scenes)('$name: proves with words that the learner said', ({ scene }) => {
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

  it.each(scenes)('$name: a learner who types an expected reply, carelessly, is understood', ({ scene }) => {
    for (const node of scene.dialogue.nodes) {
      const candidates = node.replies[scene.difficulty];
      for (const reply of candidates) {
        const careless = reply.text.toUpperCase().replaceAll(/[.,!?]/g, ' ');
        expect(matchTypedReply({ text: careless, candidates })?.reply, `"${reply.text}"`).toBe(reply);
      }
    }
  });

  it.each(scenes)('$name: takes the learner up the hint ladder', ({ scene }) => {
    for (const node of scene.dialogue.nodes) {
      const candidates = node.replies[scene.difficulty];
      const [keywords, openings, sentences] = ([1, 2, 3] as const).map((level) => hintsFor(candidates, level));
      expect(sentences).toEqual(candidates.map(({ text }) => text));
      for (const [index, { text }] of candidates.entries()) {
        expect(keywords?.[index]?.length).toBeGreaterThan(0);
        const opening = openings?.[index]?.replace(/ …$/, '') ?? '';
        expect(text.startsWith(opening) && opening.length > 0).toBe(true);
      }
    }
  });

  it.each(scenes)(
    '$name: meets replies that fit nowhere simply, then with a sentence to say, and stays',
    ({ scene }) => {
      const node = openConversation(scene).node ?? '';
      const lines = [1, 2, 3, 4, 5].map((misses) =>
        answer(scene, { node, reply: null, provedObjective: false, misses, turnCount: misses }),
      );
      expect(lines.every((line) => line.kind === 'rephrase' && line.node === node)).toBe(true);
      expect(lines.at(-1)?.text).toContain(candidateReplies({ ...scene, node })[0]?.text);
      for (const [index, { text }] of lines.entries()) expect(text).not.toBe(lines[index - 1]?.text);
    },
  );
});

describe('a conversation', () => {
  const [{ scene } = { scene: null }] = scenes;
  if (scene === null) throw new Error('the catalogue has no practice');

  it('branches: another reply is met with another line', () => {
    const branching = scenes.filter(({ scene: each }) =>
      each.dialogue.nodes.some((node) => new Set(node.replies[each.difficulty].map(({ next }) => next)).size > 1),
    );
    expect(branching).toHaveLength(scenes.length);
  });

  it('is the same for the same seed, and takes the coach’s own phrases', () => {
    expect(hold(scene, () => 0)).toEqual(hold(scene, () => 0));
    const { manner } = scene;
    const second = hold(scene, () => 0).lines[1]?.text ?? '';
    expect([...manner.praise, ...manner.acknowledge].some((phrase) => second.startsWith(phrase))).toBe(true);
  });

  it('sounds otherwise with another coach', () => {
    const other = catalogue.aiAgentProfiles.find(({ manner }) => manner.praise[0] !== scene.manner.praise[0]);
    if (other === undefined) throw new Error('all coaches speak alike');
    const changed = hold({ ...scene, manner: other.manner }, () => 0).lines.map(({ text }) => text);
    expect(changed).not.toEqual(hold(scene, () => 0).lines.map(({ text }) => text));
  });
});

describe('a typed reply', () => {
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

describe('a proof', () => {
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

  it('is what the learner said, also in other words, and never what they left out', () => {
    expect(said('I finished the report yesterday')).toMatchObject([{ words: 'finished the report' }]);
    expect(said('The report is finished')).toMatchObject([{ words: 'The report is finished' }]);
    expect(said('I finished the report yesterday', ['report'])).toEqual([]);
    expect(said('I finished something')).toEqual([]);
  });

  it('is not asked for twice, nor taken from sound that could not be scored', () => {
    const again = { reply, text: reply.text, assessment: null, already: new Set([FINISHED]) };
    expect(proveObjectives(again)).toEqual([]);
  });
});
