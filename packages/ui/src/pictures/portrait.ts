/** Draws the coaches: cut paper, light from the left, no outlines, the coach's own words as bars behind them. */
import { beatsOf } from './beats.ts';

interface Look {
  ground: string;
  voice: string;
  skin: string;
  shade: string;
  lip: string;
  brow: string;
  eye: string;
  says: string;
  hairBehind: string;
  hairInFront: string;
  clothes: string;
  beard?: string;
  extra?: string;
}

const path = (fill: string, d: string, more = ''): string => `<path fill="${fill}" d="${d}"${more}/>`;

const SHOULDERS = 'M26 240c2-44 40-60 94-60s92 16 94 60z';
const SHOULDERS_SHADE = 'M122 180c54 0 90 16 92 60h-78z';
const LONG_HAIR = 'M62 204C52 150 50 40 122 36c70 4 70 112 60 168-12 8-24 10-34 8l-6-60h-40l-4 60c-12 2-24 0-36-8z';
const SHORT_HAIR = 'M74 114c-8-46 12-72 46-72 38 0 56 24 50 72z';
const FULL_BEARD = 'M83 124c2 40 18 56 39 56s37-16 39-56c-4 14-10 20-18 21-14-5-28-5-42 0-8-1-14-7-18-21z';
const BEARD_SHADE = 'M122 180c21 0 37-16 39-56-4 14-10 20-18 21-7-2.5-14-4-21-4z';

const glasses = (color: string): string =>
  `<g fill="none" stroke="${color}" stroke-width="3"><circle cx="103" cy="114" r="14.5"/><circle cx="141" cy="114" r="14.5"/><path d="M117.5 112q4.5-3 9 0"/></g>`;

const LOOKS = {
  grace: {
    ground: '#1c6653',
    voice: '#3b8a74',
    skin: '#efc6a6',
    shade: '#d9a583',
    lip: '#b5604f',
    brow: '#8d8a86',
    eye: '#39332f',
    says: 'No hurry. Let me ask it another way.',
    hairBehind: path('#b9b5ae', 'M66 128C58 66 84 34 122 34s64 34 54 96c-2 16-8 28-14 36H80c-8-10-12-22-14-38z'),
    hairInFront:
      path('#d5d1ca', 'M76 108c0-40 20-60 48-60 26 0 42 18 44 52-22-2-38-14-46-32-8 20-24 34-46 40z') +
      path('#e4e1db', 'M76 108c2-34 16-52 40-56-6 24-18 44-40 56z'),
    clothes:
      path('#e9dcc3', 'M30 240c2-42 36-58 90-58s88 16 90 58z') +
      path('#cfbf9f', 'M124 182c50 1 84 18 86 58h-72z') +
      path('#1c1a17', 'M96 182c6 16 42 16 50 0l-4-6h-42z', ' opacity=".14"'),
    extra: glasses('#4a4640'),
  },
  daniel: {
    ground: '#94491a',
    voice: '#bd6b36',
    skin: '#8a5638',
    shade: '#6d402a',
    lip: '#5b2f25',
    brow: '#231815',
    eye: '#1b1210',
    says: 'Right. Clear numbers. I like that.',
    hairBehind: path('#201715', 'M78 108c-4-42 14-66 44-66s48 24 44 66z'),
    hairInFront: path(
      '#2c201d',
      'M80 96c0-34 16-50 42-50s42 16 42 50c-6-14-12-20-20-22-14 4-30 4-44 0-10 4-16 10-20 22z',
    ),
    clothes:
      path('#24344d', SHOULDERS) +
      path('#1a273b', SHOULDERS_SHADE) +
      path('#efe6d6', 'M98 180l24 34 24-34-8-8h-32z') +
      path('#d8ccb8', 'M122 214l24-34-8-8h-16z'),
    beard:
      path('#2c201d', 'M83 122c2 40 18 58 39 58s37-18 39-58c-6 14-12 20-20 20-12-4-26-4-38 0-8 0-14-6-20-20z') +
      path('#201715', 'M122 180c21 0 37-18 39-58-6 14-12 20-20 20-6-2-12-3-19-3z'),
  },
  priya: {
    ground: '#84346b',
    voice: '#a95a90',
    skin: '#c68c5e',
    shade: '#a96f45',
    lip: '#8e3f3a',
    brow: '#20151a',
    eye: '#1f1417',
    says: 'Interesting. Could you tell me why?',
    hairBehind: path('#1d141a', LONG_HAIR),
    hairInFront:
      path('#2b1f27', 'M80 118c-4-44 12-68 42-70-2 26-14 52-42 70z') +
      path('#241a21', 'M122 48c30 2 46 26 42 70-26-16-40-42-42-70z'),
    clothes:
      path('#e7a552', 'M28 240c2-44 38-58 92-58s92 14 94 58z') +
      path('#cb8736', 'M122 182c54 0 90 14 92 58h-76z') +
      path('#1c1a17', 'M98 182c8 20 38 20 46 0l-6-8h-34z', ' opacity=".16"'),
    extra: '<circle cx="80" cy="140" r="4" fill="#f3d48d"/><circle cx="164" cy="140" r="4" fill="#f3d48d"/>',
  },
  tom: {
    ground: '#596414',
    voice: '#7f8c38',
    skin: '#f0c3a0',
    shade: '#dba27c',
    lip: '#b5614e',
    brow: '#9a5426',
    eye: '#3a2b22',
    says: 'No worries. Good to talk to you.',
    hairBehind: path('#a65c2a', SHORT_HAIR),
    hairInFront:
      path('#c0713a', 'M76 102c-6-30 8-56 40-58 38-4 56 18 52 58-6-12-10-20-16-24-26 6-46 0-58-8-8 8-14 18-18 32z') +
      path('#d28850', 'M76 102c-6-30 8-56 40-58-4 12-12 20-22 26-8 8-14 18-18 32z'),
    clothes:
      path('#c9d3dd', SHOULDERS) +
      path('#aab7c4', SHOULDERS_SHADE) +
      path('#5e7184', 'M94 184c8 18 48 18 56 0l8 6c-10 28-62 28-72 0z'),
    beard: path('#c0713a', FULL_BEARD) + path('#a65c2a', BEARD_SHADE),
  },
  elena: {
    ground: '#5d4494',
    voice: '#8067b8',
    skin: '#e6b893',
    shade: '#cc976f',
    lip: '#a9504c',
    brow: '#4a2c1f',
    eye: '#2d2019',
    says: 'Show me with an example, please.',
    hairBehind: path(
      '#5a3423',
      'M64 182C50 132 56 38 122 36c66 2 72 96 58 146-8 6-18 6-26 2l-8-40h-48l-8 40c-8 4-18 4-26-2z',
    ),
    hairInFront:
      path('#6d4029', 'M78 112c-6-42 14-66 52-66 26 0 40 20 36 58-8-18-20-30-40-36-8 20-26 34-48 44z') +
      path('#7d4e34', 'M78 112c-6-42 14-62 44-65-6 26-20 50-44 65z'),
    clothes:
      path('#f2ecf7', SHOULDERS) +
      path('#d9cde6', SHOULDERS_SHADE) +
      path('#5a3423', 'M98 180l24 22 24-22-6-6h-36z', ' opacity=".3"'),
  },
  marcus: {
    ground: '#3c671f',
    voice: '#608c40',
    skin: '#b97a4e',
    shade: '#99603a',
    lip: '#7a3b2b',
    brow: '#2d201c',
    eye: '#221713',
    says: 'Here is the short version of it.',
    hairBehind: path('#2d201c', 'M80 104c-2-40 14-62 42-62s44 22 42 62z'),
    hairInFront: path('#3a2a24', 'M81 92c2-30 16-44 41-44s40 14 41 44c-8-12-14-16-22-17H103c-8 1-14 5-22 17z'),
    clothes:
      path('#d08a1f', SHOULDERS) +
      path('#ad7118', SHOULDERS_SHADE) +
      path('#f0dfc0', 'M96 182c8 18 44 18 52 0l-6-6h-40z'),
    beard: path('#2d201c', 'M104 158c8 18 28 18 36 0 4 12-2 24-18 24s-22-12-18-24z'),
    extra: glasses('#2d201c'),
  },
  amara: {
    ground: '#94304e',
    voice: '#bd5c78',
    skin: '#6b4128',
    shade: '#52301c',
    lip: '#4a211a',
    brow: '#171010',
    eye: '#120c0c',
    says: 'Begin with what matters most.',
    hairBehind: '<circle cx="122" cy="92" r="66" fill="#1c1515"/>',
    hairInFront: path('#251c1c', 'M76 104c0-38 18-58 46-58s46 20 46 58c-8-20-22-32-46-32s-38 12-46 32z'),
    clothes:
      path('#e7b64c', SHOULDERS) +
      path('#c6952f', SHOULDERS_SHADE) +
      path('#b5472f', 'M92 184c10 22 50 22 60 0l8 5c-10 30-66 30-76 0z'),
    extra: '<circle cx="79" cy="142" r="5" fill="#e7b64c"/><circle cx="165" cy="142" r="5" fill="#e7b64c"/>',
  },
  walter: {
    ground: '#215f73',
    voice: '#4a8a9f',
    skin: '#eec4a6',
    shade: '#d6a07c',
    lip: '#a85f50',
    brow: '#b9bbbf',
    eye: '#3a3f4a',
    says: 'Well now. One more question.',
    hairBehind: path('#c9cacd', 'M72 122c-8-40 4-62 18-70 2 20 60 20 64 0 14 8 26 30 18 70z'),
    hairInFront:
      path('#d4d5d8', 'M76 116c-6-28 0-48 14-58-2 16-4 36-14 58z') +
      path('#bfc1c6', 'M168 116c6-28 0-48-14-58 2 16 4 36 14 58z'),
    clothes:
      path('#3a3f4a', SHOULDERS) +
      path('#2c3039', SHOULDERS_SHADE) +
      path('#e6e6e8', 'M100 180l22 26 22-26-6-8h-32z') +
      path('#8e2f36', 'M116 196l6 8 6-8 6 44h-24z'),
    beard: path('#d4d5d8', 'M102 146c6-8 34-8 40 0 2 8-6 4-12 2-6 4-10 4-16 0-6 2-14 6-12-2z'),
  },
} as const satisfies Record<string, Look>;

export type CoachVoiceName = keyof typeof LOOKS;
const VOICE_NAMES = Object.keys(LOOKS) as CoachVoiceName[];

/** The coach with a picture and a colour of this name, or null for a coach that a school added. */
export const coachVoiceName = (name: string): CoachVoiceName | null =>
  VOICE_NAMES.find((voice) => voice === name.toLowerCase()) ?? null;

function drawVoice(text: string, color: string): string {
  const beats = [...beatsOf(text), ...beatsOf(text)].slice(0, 15);
  const bars = beats.map(({ loud }, index) => {
    const half = 10 + loud * 62;
    return `<path d="M${8 + index * 16} ${(112 - half).toFixed(1)}V${(112 + half).toFixed(1)}"/>`;
  });
  return `<g stroke="${color}" stroke-width="8" stroke-linecap="round">${bars.join('')}</g>`;
}

export function drawPortrait(name: CoachVoiceName): string {
  const look: Look = LOOKS[name];
  const { shade, skin, lip, eye, brow } = look;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240"><rect width="240" height="240" fill="${look.ground}"/>`,
    drawVoice(look.says, look.voice),
    look.hairBehind,
    look.clothes,
    path(shade, 'M102 150h40v34c-6 12-34 12-40 0z'),
    path(skin, 'M80 112c0-40 16-58 42-58s42 18 42 58c0 42-18 66-42 66s-42-24-42-66z'),
    path(shade, 'M122 54c26 0 42 18 42 58 0 42-18 66-42 66 16-10 24-34 24-64 0-28-8-50-24-60z', ' opacity=".55"'),
    // Walter's moustache is above the mouth; a beard is below it.
    look.beard ?? '',
    path(shade, 'M122 110l8 24c1 4-3 6-8 6-3 0-6-1-7-3 4 0 6-2 6-6z'),
    path(lip, 'M108 153c6-3 10-3 14-1 4-2 8-2 14 1-4 7-9 9-14 9s-10-2-14-9z'),
    '<g fill="#f7efe6"><path d="M93.5 114.5c4.5-7 14.5-7 19 0-4.5 5-14.5 5-19 0z"/><path d="M131.5 114.5c4.5-7 14.5-7 19 0-4.5 5-14.5 5-19 0z"/></g>',
    `<g fill="${eye}"><circle cx="103" cy="113.6" r="4.7"/><circle cx="141" cy="113.6" r="4.7"/></g>`,
    `<g fill="none" stroke="${eye}" stroke-width="2" stroke-linecap="round"><path d="M93 114.5c4.5-7.5 15-7.5 20 0"/><path d="M131 114.5c4.5-7.5 15-7.5 20 0"/></g>`,
    `<g fill="none" stroke="${brow}" stroke-width="4" stroke-linecap="round"><path d="M92 100q10-7 20-2"/><path d="M132 98q10-5 20 2"/></g>`,
    look.hairInFront,
    look.extra ?? '',
    '</svg>',
  ].join('');
}
