import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Waveform } from './scores.tsx';

it('distinguishes the model voice from the learner’s', () => {
  const own = renderToStaticMarkup(<Waveform peaks={[0.5]} label="You" />);
  const model = renderToStaticMarkup(<Waveform isModel peaks={[0.5]} label="You" />);
  expect(model).not.toBe(own);
});
