import { expect, it } from 'vitest';
import { localizerFor } from '../../localization/index.ts';
import { pricingPage } from './pricing-page.ts';

it('says that the Free plan has the first section of each course, and does not call all practice free', () => {
  const { body } = pricingPage({ ...localizerFor('en'), linkTo: (path) => path }, { offers: [], isTest: false });
  expect(body.text).toContain('<td>The first section of each course</td>');
  expect(body.text).not.toContain('Pay only for time');
});
