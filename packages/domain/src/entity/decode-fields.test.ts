import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTITY_KEYS, entities, rowFieldsDecoder, wireFieldsDecoder, wireSchema } from './index.ts';
import type { Field } from './field.ts';

const ID = '019aa000-0000-7000-8000-000000000001';
const TIME = '2026-11-20T08:30:00.000Z';

const allFields: [string, { entity: (typeof entities)[keyof typeof entities]; name: string; field: Field }][] =
  ENTITY_KEYS.flatMap((key) =>
    Object.entries(entities[key].fields as Record<string, Field>).map(
      ([name, field]): [string, { entity: (typeof entities)[keyof typeof entities]; name: string; field: Field }] => [
        `${key}.${name}`,
        { entity: entities[key], name, field },
      ],
    ),
  );

const twoDigits = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));

/** Texts that look like times, many of which are not in any calendar. */
const timeTexts = fc
  .tuple(
    twoDigits,
    twoDigits,
    twoDigits,
    twoDigits,
    fc.constantFrom('.000', '.123456', '', '.1'),
    fc.constantFrom('Z', '+02:00', 'z', ''),
  )
  .map(([month, day, hour, minute, fraction, zone]) => `2024-${month}-${day}T${hour}:${minute}:09${fraction}${zone}`);

const idTexts = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.constantFrom(
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    `${ID} `,
    `${ID}\n`,
    ID.slice(1),
  ),
);

const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(
    -0,
    0,
    100,
    100.000_1,
    2_147_483_647,
    2_147_483_648,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    Number.NaN,
    Infinity,
  ),
);

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\0', 'x'.repeat(200), 'x'.repeat(4_000), 'x'.repeat(4_001), '\u{1f600}'.repeat(100), '\ud800'),
);

const anyValues = fc.oneof(
  timeTexts,
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  idTexts,
  numbers,
  texts,
  fc.boolean(),
  fc.constantFrom(null, [], {}, [null], { '*': TIME }),
  fc.json().map((json): unknown => JSON.parse(json)),
);

/** Values that are more likely to be valid for this field than arbitrary ones. */
const valuesFor = (field: Field): fc.Arbitrary<unknown> =>
  field.enumeration === null ? anyValues : fc.oneof(fc.constantFrom<unknown>(...field.enumeration.values), anyValues);

const dates = fc.oneof(fc.date(), fc.constant(new Date(Number.NaN)));

describe('decoding fields', () => {
  it.each(allFields)('accepts the same wire values of %s as its schema', (_label, { entity, name, field }) => {
    const schema = wireSchema(entity).shape[name];
    fc.assert(
      fc.property(valuesFor(field), (value) => {
        const parsed = schema?.safeParse(value);
        expect(wireFieldsDecoder(entity)({ [name]: value })).toEqual(
          parsed?.data === undefined ? null : { [name]: parsed.data },
        );
      }),
    );
  });

  it.each(allFields)('accepts the same values of %s in memory as its schema', (_label, { entity, name, field }) => {
    const schema = field.nullable ? field.schema.nullable() : field.schema;
    fc.assert(
      fc.property(fc.oneof(valuesFor(field), dates), (value) => {
        const parsed = schema.safeParse(value);
        expect(rowFieldsDecoder(entity)({ [name]: value })).toEqual(parsed.success ? { [name]: parsed.data } : null);
      }),
    );
  });

  it.each(['1985-01-29', '2023-02-29', '2024-02-29', '2024-04-31', '2024-12-31'])(
    'knows whether there was a %s',
    (day) => {
      const value = `${day}T23:59:59.999Z`;
      const parsed = wireSchema(entities.users).shape['createdAt']?.safeParse(value);
      expect(wireFieldsDecoder(entities.users)({ createdAt: value })).toEqual(
        parsed?.data === undefined ? null : { createdAt: parsed.data },
      );
    },
  );

  it.each(['unknown', '__proto__', 'constructor', 'toString'])('does not know a field %s', (name) => {
    const fields: unknown = JSON.parse(`{"id":"${ID}","${name}":"x"}`);
    expect(wireFieldsDecoder(entities.industry)(fields as Record<string, unknown>)).toBeNull();
    expect(rowFieldsDecoder(entities.industry)(fields as Record<string, unknown>)).toBeNull();
  });
});
