/** The bundled drills: sounds that learners of English confuse, and workplace words, phrases, sentences and passages. */

export interface BundledDrill {
  kind: 'word' | 'pair' | 'phrase' | 'sentence' | 'passage';
  /** The label of what it trains, which the learner sees. */
  trains: string;
  text: string;
  /** In a pair drill, the word that it must not sound like. */
  other: string | null;
}

const WORDS: Readonly<Record<string, readonly string[]>> = {
  'The th of “think”': ['think', 'month', 'through', 'health', 'method'],
  'The th of “this”': ['this', 'other', 'together', 'weather', 'breathe'],
  'R and L': ['really', 'library', 'problem', 'relevant', 'clearly'],
  'V and W': ['value', 'available', 'always', 'twelve', 'network'],
  'Sh, ch and j': ['schedule', 'issue', 'change', 'manager', 'usual'],
  'Consonants in a row': ['strengths', 'asked', 'months', 'contracts', 'sixth'],
  'Stress at the beginning': ['colleague', 'interesting', 'comfortable', 'deadline', 'purchase'],
  'Stress further back': ['report', 'develop', 'decision', 'engineer', 'presentation'],
};

/** Only pairs that the scorer can tell apart; `packages/speech/models/pairs.json` lists them. */
const PAIRS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'Ship or sheep': [['ship', 'sheep'], ['slip', 'sleep'], ['sit', 'seat']],
  'Let or late': [['let', 'late']],
  'Light or right': [['light', 'right'], ['lead', 'read'], ['glass', 'grass'], ['fly', 'fry'], ['lock', 'rock']],
  'Night or light': [['night', 'light'], ['snow', 'slow']],
  'Vest or west': [['vest', 'west'], ['vine', 'wine']],
  'Tank or thank': [['tank', 'thank']],
  'Doze or those': [['doze', 'those']],
  'Time or dime': [['time', 'dime']],
  'Cap or cab': [['cap', 'cab']],
}; // prettier-ignore

const PHRASES: Readonly<Record<string, readonly string[]>> = {
  'On the phone': ['Could you say that again?', 'You are breaking up.', 'May I call you back?'],
  'In a meeting': ['If I may come in here.', 'Let me check that first.', 'That works for me.'],
  'Saying no kindly': ['I would rather not.', 'I am afraid that is too early.', 'Perhaps another time.'],
  'Small talk': ['How was your weekend?', 'Nice to see you again.', 'Have you been here before?'],
};

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'Explaining a delay': [
    'The delivery will arrive three days later than we planned.',
    'I am sorry about this, and here is what we will do about it.',
    'One of our suppliers has been late, so we are testing the parts tonight.',
  ],
  'Giving an update': [
    'We finished the first version on Thursday, and the tests look good.',
    'The next step is to show it to three customers and hear what they think.',
    'Two things are still open: the price, and the date of the launch.',
  ],
  'Asking for something': [
    'Would it be possible to move our meeting to Wednesday morning?',
    'I would be grateful if you could send me the figures before lunch.',
    'Could you walk me through the contract once more, please?',
  ],
};

const PASSAGES: Readonly<Record<string, string>> = {
  'One minute: a new colleague':
    'Good morning, everyone. Before we start, I would like to introduce our new colleague. Sara joins us from a small ' +
    'company in Porto, where she looked after customers in four countries. She will work with the support team, and for ' +
    'the first month she will sit next to Daniel, who knows every corner of our system. Please help her find her way: show ' +
    'her where the coffee is, tell her which meetings really matter, and explain the words that only we use. Sara, we are ' +
    'glad that you are here. Ask us anything, at any time, even if you think that you should know it already.',
  'Two minutes: what went wrong':
    'Thank you for making time today. I want to tell you what happened last Tuesday, why it happened, and what we have ' +
    'changed since. At about ten in the morning, our ordering page became very slow. By half past ten, one customer in ' +
    'three could not finish an order. We saw the first warning quickly, but we looked in the wrong place. We thought that ' +
    'the network was the problem, because it had been the problem twice before. It was not. A small change from the day ' +
    'before had made one database query much slower, and nobody had tried it with a full day of orders. ' +
    'We undid the change at eleven, and ten minutes later everything was working again. Nobody lost any data, but ' +
    'people lost time, and some of them lost patience. So what is different now? Every change of this kind is tried with ' +
    'real amounts first. The warning says which part is slow, not only that something is. And when we are unsure, we go ' +
    'back first and search afterwards. I am sorry for the trouble that this caused, and I am happy to take your questions.',
  'Three minutes: learning to speak':
    'When I moved to another country for work, I could read long reports in English, and I could write careful letters. ' +
    'What I could not do was talk. In meetings I prepared a sentence in my head, word by word, and when it was finally ' +
    'ready, the others were already speaking about something else. After some weeks I almost stopped trying. I nodded, I ' +
    'smiled, and I sent my ideas by mail in the evening, when nobody was waiting for them any more. ' +
    'Then a colleague gave me a piece of advice that I have never forgotten. She said: do not wait for the perfect sentence. ' +
    'Say the first half of it, and trust that the second half will come. People are kind, and they like to help. If ' +
    'you are looking for a word, describe it. If you have lost the thread, say so. Nobody remembers your mistakes, but ' +
    'everybody remembers whether you were there. ' +
    'So I made a plan. Every morning, on my way to the office, I described out loud what I could see. The bakery is opening. ' +
    'A man is carrying a very large plant. The bus is late again, and the driver looks tired. It felt strange for three ' +
    'days, and then it felt normal. In the evening I read one page aloud and recorded it. Listening to my own voice was hard ' +
    'at first. I heard that I swallowed the ends of words, that I hurried when I was unsure, and that my voice stayed on ' +
    'one note, like a machine. But these were things that I could change, one at a time. ' +
    'First I slowed down. Then I learned to stop for a moment where a sentence ends, instead of filling the silence with ' +
    'small noises. After that I worked on the sounds that do not exist in my own language, five minutes a day, with a mirror. ' +
    'Two months later I gave a short talk to thirty people. My hands were shaking, I forgot one number, and I said a word ' +
    'wrong that I had practised all week. And yet, at the end, three people came to me with questions about my work, and not ' +
    'one of them mentioned my English. That evening I understood what my colleague had meant. We do not speak in order to ' +
    'be correct. We speak in order to be understood, and to understand each other.',
};

const drillsOfKind = (kind: BundledDrill['kind'], texts: Readonly<Record<string, readonly string[]>>): BundledDrill[] =>
  Object.entries(texts).flatMap(([trains, all]) => all.map((text) => ({ kind, trains, text, other: null })));

export const DRILLS: readonly BundledDrill[] = [
  ...drillsOfKind('word', WORDS),
  ...Object.entries(PAIRS).flatMap(([trains, pairs]) =>
    pairs.flatMap(([text, other]): BundledDrill[] => [
      { kind: 'pair', trains, text, other },
      { kind: 'pair', trains, text: other, other: text },
    ]),
  ),
  ...drillsOfKind('phrase', PHRASES),
  ...drillsOfKind('sentence', SENTENCES),
  ...Object.entries(PASSAGES).map(([trains, text]): BundledDrill => ({ kind: 'passage', trains, text, other: null })),
];
