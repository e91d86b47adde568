import { describe, expect, it } from 'vitest';
import { loadDictionary } from './dictionary.ts';
import { letterToSound } from './letter-to-sound.ts';
import { MODEL_DIR } from '../score/model-dir.ts';
import { canBeSaid, pronounceText } from './pronounce.ts';
import { spokenForm, spokenText, wordEnds } from './spoken-form.ts';

const dictionary = await loadDictionary(MODEL_DIR, { withCorpusWords: false });
const said = (text: string): string =>
  spokenForm(text)
    .flatMap(({ spoken }) => spoken)
    .join(' ');

describe('spoken form', () => {
  it.each([
    ['It costs $1,250.50.', 'it costs one thousand two hundred fifty dollars fifty cents'],
    ['£1 or €3m', 'one pound or three million euros'],
    ['at 9:05 or 14:30', 'at nine oh five or fourteen thirty'],
    ['10am', 'ten a m'],
    ['at 7:00 pm, 7:00 p.m. or 7:00', "at seven pm seven p m or seven o'clock"],
    ['in the 1990s, the 80s or the 1900s', 'in the nineteen nineties the eighties or the nineteen hundreds'],
    ['$2.5 million, £3 billion', 'two point five million dollars three billion pounds'],
    ['$2.50 or a million', 'two dollars fifty cents or a million'],
    ['call 555-1234 or +49-30-12', 'call five five five one two three four or four nine three zero one two'],
    ['10-15 people, 2019-2021', 'ten to fifteen people twenty nineteen to twenty twenty one'],
    ['50-100 people, 200-300 days', 'fifty to one hundred people two hundred to three hundred days'],
    ['we won 3-1 on 12-05-2024', 'we won three one on twelve five twenty twenty four'],
    ['1000s of people in their 30s', 'thousands of people in their thirties'],
    ['a 30s wait, after 45s', 'a thirty second wait after forty five seconds'],
    ['1-800-555-0199', 'one eight zero zero five five five zero one nine nine'],
    ['in 1984, 2005 and 2026', 'in nineteen eighty four two thousand five and twenty twenty six'],
    ['the 21st, the 12th', 'the twenty first the twelfth'],
    ['0.5% of 1,000,000', 'zero point five percent of one million'],
    ['-3 degrees', 'minus three degrees'],
    ['call 007', 'call zero zero seven'],
    ["don't, I’ll, o'clock", "don't i'll o'clock"],
    ['a well-known follow-up', 'a well known follow up'],
    ['Dr. Smith & Mrs. Jones', 'doctor smith and missus jones'],
    ['the U.S. team, asap', 'the u s team a s a p'],
    ['naïve café', 'naive cafe'],
    ['Søren, Łódź, Đà Nẵng, Straße, æther', 'soren lodz da nang strasse aether'],
    ['R$ 20, R$20,50 or US$ 5', 'twenty reais twenty reais fifty centavos or five dollars'],
    ['№ 5 and №12', 'number five and number twelve'],
    ['.NET, ASP.NET, C# and F#', 'dot net asp dot net c sharp and f sharp'],
    ['We left .Then it rained', 'we left then it rained'],
    ['720p or 1080p', 'seven twenty p or ten eighty p'],
    [`6'2", 6’2” or 5′11″`, 'six foot two six foot two or five foot eleven'],
    ['R2D2', 'r two d two'],
    ['…?! — "quoted"', 'quoted'],
    ['', ''],
    ['你好', '你好'],
  ])('%s', (written, expected) => {
    expect(said(written)).toBe(expected);
  });

  it.each([
    ['sam@nordwood.com', 'sam at nordwood dot com'],
    ['<jo_b-1@mail.example.co.uk>,', 'jo underscore b dash one at mail dot example dot co dot u k'],
    ['www.example.com or example.org/jobs', 'w w w dot example dot com or example dot org slash jobs'],
    ['We left.Then it rained, at noon.', 'we left then it rained at noon'],
    ['at 120 km/h', 'at one hundred twenty kilometres per hour'],
    ['120km/h, in km/h, 5 m/s', 'one hundred twenty kilometres per hour in kilometres per hour five metres per second'],
    ['5 kg or 1 kg', 'five kilograms or one kilogram'],
    ['a 10 km run, a 5-kg bag', 'a ten kilometre run a five kilogram bag'],
    [
      '5kg, 1.5 km, 25°C, 1 °C',
      'five kilograms one point five kilometres twenty five degrees celsius one degree celsius',
    ],
    ['50 m², 3 m2 and 2 m³', 'fifty square metres three square metres and two cubic metres'],
    ['30 min, 2 hrs. or 1500 km', 'thirty minutes two hours or one thousand five hundred kilometres'],
    ['200 ms, Ms. Lee', 'two hundred milliseconds miz lee'],
    ['KM and Kg met in min', 'km and kg met in min'],
    ['the km, kg and x of it', 'the km kg and x of it'],
    ['I have 3, KM has 5. Jan has 2.', 'i have three km has five jan has two'],
    ['x² and B2', 'x two and b two'],
    ['the 4th-floor corridor', 'the fourth floor corridor'],
    ['COVID-19, mid-2025, a 24-hour day', 'covid nineteen mid twenty twenty five a twenty four hour day'],
    ['3.5x, 10x', 'three point five times ten times'],
    ['x, 3 x 4, 1024x768', 'x three x four one thousand twenty four x seven hundred sixty eight'],
    ['½ cup, 2½ days, a ½ day, ¾', 'a half cup two and a half days a half day three quarters'],
    ['½ kg, 1½ kg', 'a half kilogram one and a half kilograms'],
    ['30 Nov, Nov. 3, Sept 2026', 'thirty november november three september twenty twenty six'],
    ['3rd Dec', 'third december'],
    ['Jan and Mar met; mar 3; give Jan 5 minutes', 'jan and mar met mar three give jan five minutes'],
    ['invoice No. 5, no. 12 or nos. 3', 'invoice number five number twelve or numbers three'],
    ['No. I said no. And no 5.', 'no i said no and no five'],
    ['Ready? No. 5 are late.', 'ready no five are late'],
    ['no. 5 people came', 'no five people came'],
    ['Say yes or no. 5 of them came.', 'say yes or no five of them came'],
    ['#5 and #tag', 'number five and tag'],
    ['3,5 or 0,250', 'three point five or zero point two five zero'],
    ['12,5% of 1.000,50', 'twelve point five percent of one thousand point five zero'],
    [
      '1,250 and 12,34,567',
      'one thousand two hundred fifty and one million two hundred thirty four thousand five hundred sixty seven',
    ],
    ['items 1,2,3', 'items one two three'],
    ['10 000 people, 1 500 km', 'ten thousand people one thousand five hundred kilometres'],
    [
      '2 500 000 or 100 000-200 000',
      'two million five hundred thousand or one hundred thousand to two hundred thousand',
    ],
    [
      '€10 000, 10 000 € and $1 250,50',
      'ten thousand euros ten thousand euros and one thousand two hundred fifty dollars fifty cents',
    ],
    [
      'call 0800 123 000 or +44 20 000',
      'call zero eight zero zero one two three zero zero zero or forty four twenty zero zero zero',
    ],
    ['on 600 123 456', 'on six hundred one hundred twenty three four hundred fifty six'],
    ['World War II, World War I. Part IV', 'world war two world war one part four'],
    ['Henry VIII, George V and Pope John Paul II', 'henry the eighth george the fifth and pope john paul the second'],
    ['the XIX century', 'the nineteenth century'],
    ['9 AM, 9:30 am or nine thirty AM', 'nine a m nine thirty a m or nine thirty a m'],
    ['Which one am I? At 9, am I late? I AM nine.', 'which one am i at nine am i late i am nine'],
    ['an IV drip, Malcolm X, Plan V', 'an iv drip malcolm x plan v'],
    ['Start IV antibiotics. Check IV lines. Dear XX,', 'start iv antibiotics check iv lines dear xx'],
    ['The war I know. The IV. In Paris, IV fluids', 'the war i know the iv in paris iv fluids'],
    ['€3,50 or 3,50€', 'three euros fifty cents or three euros fifty cents'],
    ['50 € or € 50', 'fifty euros or fifty euros'],
    ['€/month, €50/month, $5k/user', 'euros per month fifty euros per month five thousand dollars per user'],
    ['€5 m and $2 bn', 'five million euros and two billion dollars'],
    ['3 days/week', 'three days per week'],
    ['and/or, he/she, day/night, 24/7', 'and or he she day night twenty four seven'],
    ['10–15 people, 10-15%, 5-10kg', 'ten to fifteen people ten to fifteen percent five to ten kilograms'],
    ['R&D, Q&A, Q3', 'r and d q and a q three'],
    ['50+ people, 3 + 4', 'fifty plus people three plus four'],
    ['“$5”, „10am“ and «½»', 'five dollars ten a m and a half'],
    ['approx. 20 % vs. 3', 'approximately twenty percent versus three'],
    ['₹200, ₹1,50,000 or ₹5 lakh', 'two hundred rupees one hundred fifty thousand rupees or five lakh rupees'],
    ['¥1,000, ₩500 and ₿1,500', 'one thousand yen five hundred won and one thousand five hundred'],
    ['50 USD, 5000 EUR, Rs. 500 or GBP 1', 'fifty dollars five thousand euros five hundred rupees or one pound'],
    ['US$50, A$20; the USD', 'fifty dollars twenty dollars the usd'],
    ['20 €, 30 € and 5 $', 'twenty euros thirty euros and five dollars'],
    [
      '$20-30, $20k–$30k, 50%–60%',
      'twenty to thirty dollars twenty thousand to thirty thousand dollars fifty to sixty percent',
    ],
    ['$1.50-$2, £1.20-£1.80', 'one dollar fifty cents to two dollars one pound twenty pence to one pound eighty pence'],
    [
      '€1.000.000.000, 192.168.100.120',
      'one billion euros one hundred ninety two one hundred sixty eight one hundred one hundred twenty',
    ],
    ['900k-1m, €1.000.000', 'nine hundred thousand to one million one million euros'],
    ['9am–5pm, 9-11am, 9:00-17:00', 'nine a m to five p m nine to eleven a m nine to seventeen'],
    ['9.30am, 9.30 am, 9–11 am or 9.30', 'nine thirty a m nine thirty a m nine to eleven a m or nine point three zero'],
    ['No.1, our no.5', 'number one our number five'],
    ['CO2, MP3, BA12, COVID19', 'c o two m p three b a twelve covid nineteen'],
    ['USB3, CO22, TOP10, DAY1', 'u s b three c o twenty two top ten day one'],
    ['I work 9–5; they won 3-2', 'i work nine to five they won three two'],
    ['In 1990-95 and 2019–20', 'in nineteen ninety to ninety five and twenty nineteen to twenty'],
    ['5kg-10kg, 500g–1kg, 4th-5th', 'five to ten kilograms five hundred grams to one kilogram fourth to fifth'],
    ['3/4 of it, 1 1/2 hours, 10 1/2', 'three quarters of it one and a half hours ten and a half'],
    ['page 1/2, on 3/4, 5/6 and 11/2/2024', 'page one two on three four five six and eleven two twenty twenty four'],
    [
      'Mon–Fri, Mon.-Thurs., Tuesday–Friday, Jan-Mar',
      'monday to friday monday to thursday tuesday to friday january to march',
    ],
    [
      'on Sat or Sun, Wed 9-11, Sat down in the Sun',
      'on saturday or sunday wednesday nine to eleven sat down in the sun',
    ],
    ['Q1–Q3; May–July. I may – perhaps.', 'q one to q three may to july i may perhaps'],
    ['50 zł, CHF 100, 30k CHF and 20 CAD', 'fifty zlotys one hundred francs thirty thousand francs and twenty dollars'],
    [
      '1h 30m, 1h30, 2h05m, 5m 30s or 90m',
      'one hour thirty minutes one hour thirty minutes two hours five minutes five minutes thirty seconds or ninety million',
    ],
    ['a 4K TV, 60fps, 220V, 5 GHz', 'a four k tv sixty frames per second two hundred twenty volts five gigahertz'],
    ['https://www.example.com/about', 'w w w dot example dot com slash about'],
    ['2.3.1, v2.0 and 5.6.2024', 'two point three point one v two point zero and five six twenty twenty four'],
    [
      '(020) 7946 0958 or 555 123 4567',
      'zero two zero seven nine four six zero nine five eight or five five five one two three four five six seven',
    ],
    ['05/06/2024', 'zero five zero six twenty twenty four'],
    ['5 kg–10 kg or 5 kg - 10 kg', 'five kilograms to ten kilograms or five kilograms to ten kilograms'],
    ['3 pm – 4 pm, 10 – 15 people, $5 – $7', 'three pm to four pm ten to fifteen people five dollars to seven dollars'],
    ['We won 3 – 2. I have 5 – ten left.', 'we won three two i have five ten left'],
    [
      'FY24–FY25, Jan 2023–Mar 2024, Mar 3–5',
      'f y twenty four to f y twenty five january twenty twenty three to march twenty twenty four march three to five',
    ],
    ['tea w/o sugar, w/ milk', 'tea without sugar with milk'],
    ['2×3, 2 × 3, 1+1=2, 6÷2', 'two times three two times three one plus one equals two six divided by two'],
    ['20 BRL, 1 BRL, 500 MXN and 30 AED', 'twenty reais one real five hundred pesos and thirty dirhams'],
    ['−5°C or −3.5%', 'minus five degrees celsius or minus three point five percent'],
    ['the mid-1990s, a 10%-discount', 'the mid nineteen nineties a ten percent discount'],
    ['2FA, PG-13, AB-123 and MAX-2', 'two f a p g thirteen a b one hundred twenty three and max two'],
    ['C++ or C#', 'c plus plus or c sharp'],
    ['AT&T, H&M and @anna', 'a t and t h and m and at anna'],
    ['$0.99, 50¢ and .5', 'ninety nine cents fifty cents and zero point five'],
    ['a 1:1, 3:2', 'a one to one three to two'],
    ["the '90s, mid-90s, FY2024", 'the nineties mid nineties f y twenty twenty four'],
    ['FYI, ChatGPT on iOS', 'f y i chat g p t on i o s'],
    ['See Fig. 3, p. 5, pp. 5-10. A fig. Min. 3', 'see figure three page five pages five to ten a fig minimum three'],
    ['10 Downing St. or 5th Ave., St. John, Oak Rd', 'ten downing street or fifth avenue saint john oak road'],
    ['Gen. Lee, Capt. Kirk. Gen left.', 'general lee captain kirk gen left'],
    [
      'on 07700 900123 or +44 7700 900. 300 people',
      'on zero seven seven zero zero nine zero zero one two three or forty four seven seven zero zero nine zero zero three hundred people',
    ],
  ])('of %s', (written, expected) => {
    expect(said(written)).toBe(expected);
  });

  it('does not end a sentence after a short form', () => {
    const pauses = (text: string) => spokenForm(text).map(({ written, pauseAfter }) => `${written} ${pauseAfter}`);
    expect(pauses('No. 5 on Nov. 3.')).toEqual(['No may', '5 none', 'on none', 'Nov may', '3 should']);
    expect(pauses('It weighs 5 kg. I said no.')).toEqual([
      'It none',
      'weighs none',
      '5 none',
      'kg should',
      'I none',
      'said none',
      'no should',
    ]);
    expect(pauses('Try www.example.com. Then go.')).toEqual([
      'Try none',
      'www.example.com should',
      'Then none',
      'go should',
    ]);
  });

  it('keeps the place of fractions, units and addresses in the text', () => {
    for (const [text, words] of [
      ['Add ½ cup, 50 m², 25 °C.', ['Add', ' ½', ' cup', ', 50', ' m²', ', 25', ' °C.']],
      ['Ask sam@nordwood.com at 5 km/h', ['Ask', ' sam@nordwood.com', ' at', ' 5', ' km', '/h']],
      ['Over 10 000 came', ['Over', ' 10 000', ' came']],
      ['Over 10\u202F000 or 9\u00A0000 came', ['Over', ' 10\u202F000', ' or', ' 9\u00A0000', ' came']],
      ['It is €/month, 10–15 a day', ['It', ' is', ' €', '/month', ', 10–15', ' a', ' day']],
    ] as const)
      expect(wordEnds(text).map((end, index, all) => text.slice(all[index - 1] ?? 0, end))).toEqual(words);
  });

  it('marks where a voice should pause, may pause or continues', () => {
    const text = 'Well, Dr. Lee said "no" at 9 a.m. — then left. Why?';
    expect(spokenForm(text).map(({ written, pauseAfter }) => `${written} ${pauseAfter}`)).toEqual([
      'Well may',
      'Dr may',
      'Lee none',
      'said none',
      'no may',
      'at none',
      '9 none',
      'a.m may',
      'then none',
      'left should',
      'Why should',
    ]);
  });

  it('finds the end offset of each word', () => {
    const text = 'Pay $5 now, follow-up later!';
    expect(wordEnds(text).map((end, index, all) => text.slice(all[index - 1] ?? 0, end))).toEqual([
      'Pay',
      ' $5',
      ' now',
      ', follow',
      '-up',
      ' later!',
    ]);
  });

  it('finds the end of words with any apostrophe', () => {
    expect(wordEnds('I’m sure it’s late')).toEqual([3, 8, 13, 18]);
  });

  it.each([
    ['On Nov. 3, Dr. Lee ran 5 km/h!', 'On november three, doctor Lee ran five kilometres per hour!'],
    ['“Ask sam@green.com?” — € 50, U.S. naïve.', '“Ask sam at green dot com?”, fifty euros, U.S. naïve.'],
    ['You can’t say 日本, and/or "no".', 'You can\'t say 日本, and or "no".'],
    ['Wait… what?', 'Wait... what?'],
    ['…?!', '...?!'],
  ])('gives a voice the text of %s', (written, expected) => {
    expect(spokenText(written)).toBe(expected);
  });

  it('reads every apostrophe alike', () => {
    for (const mark of ["'", '’', '‘', 'ʼ', '`', '´']) expect(said(`don${mark}t`)).toBe("don't");
  });

  it('keeps the marks that belong to a word', () => {
    const written = spokenForm(`C#, .NET (in 1080p), №5, 6'2" or 6’2”.`).map((word) => word.written);
    expect(written).toEqual(['C#', '.NET', 'in', '1080p', '№5', `6'2"`, 'or', "6'2”"]);
  });

  it('keeps the written form of each word', () => {
    expect(spokenForm('Pay $5 now!').map(({ written }) => written)).toEqual(['Pay', '$5', 'now']);
  });
});

describe('pronunciation', () => {
  const phonesOf = (text: string): string[] =>
    pronounceText(text, dictionary).map(({ pronunciations }) => pronunciations[0]?.phones.join(' ') ?? '?');

  it('comes from the dictionary with all variants', () => {
    expect(phonesOf('think')).toEqual(['TH IH1 NG K']);
    const [read] = pronounceText('read', dictionary);
    expect(read?.pronunciations.map(({ phones }) => phones.join(' '))).toEqual(
      expect.arrayContaining(['R EH1 D', 'R IY1 D']),
    );
  });

  it.each([
    ["Parley's", /Z$/],
    ["Mirek's", /S$/],
    ['xylofonic', /^Z /],
    ['brillable', /^B R .* AH0 B AH0 L$/],
    ['phlosh', /^F L AA1 SH$/],
  ])('of the unknown word %s is guessed from its spelling', (word, expected) => {
    expect(phonesOf(word)[0]).toMatch(expected);
  });

  it('of “GIF” begins with either sound', () => {
    const [word] = pronounceText('a gif', dictionary).slice(1);
    expect(word?.pronunciations.map(({ phones }) => phones.join(' '))).toEqual(['JH IH1 F', 'G IH1 F']);
  });

  it('of “mm-hm” is one word, and that of “mmm” has no names of letters', () => {
    expect(phonesOf('Mm-hm. Mmm, hmmm')).toEqual(phonesOf('mhm mm hmm'));
    const [word] = pronounceText('Mm-hmm', dictionary);
    expect(word?.pronunciations.map(({ phones }) => phones.join(' '))).toContain('M HH M');
  });

  it('of “Wi-Fi” and “sci-fi” is not that of their parts', () => {
    expect(phonesOf('Wi-Fi, the sci-fi')).toEqual(['W AY1 F AY2', 'DH AH0', 'S AY2 F AY1']);
    expect(canBeSaid('sci-fi')).toBe(true);
  });

  it('of several words tries another pronunciation of each before a third of one', () => {
    const variants: Record<string, string[]> = { two: ['T UW1'], and: ['AE0 N D', 'AH0 N', 'AH0 N D', 'EH0 N'] };
    const several = (word: string) =>
      (variants[word] ?? (word === 'half' ? ['HH AA0 F', 'HH AE0 F'] : ['AH0'])).map((phones) => phones.split(' '));
    const [word] = pronounceText('2½', several);
    expect(word?.pronunciations.map(({ phones }) => phones.join(' '))).toEqual([
      'T UW1 AE0 N D AH0 HH AA0 F',
      'T UW1 AH0 N AH0 HH AA0 F',
      'T UW1 AE0 N D AH0 HH AE0 F',
      'T UW1 AH0 N D AH0 HH AA0 F',
    ]);
  });

  it('of capitals is also that of their letters, unless the whole text is in capitals', () => {
    const variantsOf = (text: string): string[] =>
      (pronounceText(text, dictionary)[0]?.pronunciations ?? []).map(({ phones }) => phones.join(' '));
    expect(variantsOf('IT department')).toEqual(['IH1 T', 'IH0 T', 'AY1 T IY1']);
    expect(variantsOf('It is')).toEqual(['IH1 T', 'IH0 T']);
    expect(variantsOf('IT IS LATE')).toEqual(['IH1 T', 'IH0 T']);
    expect(variantsOf('KPIs are up')[0]).toBe('K EY1 P IY1 AY1 Z');
    expect(variantsOf('DIY')[0]).toBe('D IY1 AY1 W AY1');
    expect(variantsOf('NATO met')).toEqual(['N EY1 T OW0']);
  });

  it('is known for a text if it is known for one of its words', () => {
    for (const text of ['Anna 你好', '“HR”', '42', '½', 'xylofonic', 'hmm'])
      expect([text, canBeSaid(text)]).toEqual([text, true]);
    for (const text of ['', '…', '你好', 'x'.repeat(150)]) expect([text, canBeSaid(text)]).toEqual([text, false]);
  });

  it('spells words without vowels, and skips text that is not English', () => {
    expect(phonesOf('qrt')).toEqual(['K Y UW1 AA1 R T IY1']);
    const [word] = pronounceText('你好', dictionary);
    expect(word).toEqual({ word: '你好', pronunciations: [], pauseAfter: 'none' });
  });

  it('terminates for any spelling', () => {
    for (const word of ['', 'q', 'aaaa', 'zzzz', 'rhythm', 'a'.repeat(50), "'", 'éé']) {
      const phones = letterToSound(word);
      expect(phones === null || phones.every((phone) => /^[A-Z]{1,2}\d?$/.test(phone))).toBe(true);
    }
  });

  it('ignores properties of Object.prototype', () => {
    expect(phonesOf('constructor')[0]).toMatch(/^K AH0 N/);
    expect(dictionary('toString')).toEqual([]);
  });
});
