import { describe, expect, it } from 'vitest';
import { toOutsideAddress } from './outside-address.ts';

const SERVER = 'https://parley.example';

describe('a link in a post', () => {
  it.each([
    ['https://elsewhere.example/a?b=c', 'https://elsewhere.example/a?b=c'],
    ['mailto:ines@parley.example', 'mailto:ines@parley.example'],
    ['/pricing', 'https://parley.example/pricing'],
    ['//elsewhere.example/a', 'https://elsewhere.example/a'],
  ])('%s leads outside', (href, address) => expect(toOutsideAddress(href, SERVER)).toBe(address));

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'parley://x',
    '#here',
    'http://[',
  ])('%s leads nowhere', (href) => expect(toOutsideAddress(href, SERVER)).toBeNull());

  it('to a page of the server leads nowhere without a server', () => {
    expect(toOutsideAddress('/pricing', null)).toBeNull();
    expect(toOutsideAddress('https://elsewhere.example/', null)).toBe('https://elsewhere.example/');
  });
});
