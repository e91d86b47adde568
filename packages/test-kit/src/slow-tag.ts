/** Marks tests that `npm test` leaves to `npm run test:all`. */
export const SLOW_TAG = {
  name: 'slow',
  description:
    'Repeats at length what quicker tests show once, for example with every provider, or with random histories.',
};
