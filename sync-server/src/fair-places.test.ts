import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFairPlaces, type Place, type PlaceHolder } from './fair-places.ts';

const MAX_PLACES = 6;

interface Held extends PlaceHolder {
  place: Place;
}

const step = fc.record({
  act: fc.constantFrom('take', 'take', 'take', 'release'),
  network: fc.constantFrom('a', 'b', 'c'),
  account: fc.constantFrom(null, '1', '2', '3'),
  which: fc.nat({ max: MAX_PLACES - 1 }),
});

it('lets no holder end up with more places than the one it took from, and gives out no more than there are', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const places = createFairPlaces(MAX_PLACES);
      const held: Held[] = [];
      const lost: Held[] = [];
      const of = ({ network, account }: PlaceHolder, isSameAccount: boolean): number =>
        held.filter((other) => other.network === network && (!isSameAccount || other.account === account)).length;
      for (const { act, network, account, which } of steps) {
        const one = held[which];
        if (act === 'release' && one !== undefined) {
          one.place.release();
          one.place.release();
          held.splice(which, 1);
        } else if (act === 'take') {
          const holder = { network, account };
          const isExpected = places.hasPlaceFor(holder);
          const added: Held = { ...holder, place: { release: () => undefined } };
          const place = places.take(holder, () => void lost.push(...held.splice(held.indexOf(added), 1)));
          expect(place !== null).toBe(isExpected);
          for (const loser of lost.splice(0)) {
            const isOther = loser.network !== network;
            expect(of(loser, !isOther)).toBeGreaterThanOrEqual(of(holder, !isOther) + 1);
          }
          if (place !== null) held.push(Object.assign(added, { place }));
          else expect(held).toHaveLength(MAX_PLACES);
        }
        expect(places.taken()).toBe(held.length);
        expect(held.length).toBeLessThanOrEqual(MAX_PLACES);
      }
    }),
    { seed: 20_261_118 },
  );
});

it('gives a newcomer the oldest place of the busiest account in the busiest network', () => {
  const places = createFairPlaces(4);
  const lost: string[] = [];
  const take = (network: string, account: string, name: string): Place | null =>
    places.take({ network, account }, () => void lost.push(name));
  take('school', 'ada', 'ada 1');
  take('school', 'ben', 'ben 1');
  take('school', 'ben', 'ben 2');
  take('home', 'eve', 'eve 1');
  expect(take('office', 'kim', 'kim 1')).not.toBeNull();
  expect(lost).toEqual(['ben 1']);
  expect(take('office', 'kim', 'kim 2')).toBeNull();
  expect(places.taken()).toBe(4);
});
