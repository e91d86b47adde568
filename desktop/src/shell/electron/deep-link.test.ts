import { describe, expect, it } from 'vitest';
import { isTalking, pageAmong, pageOf } from './deep-link.ts';

const LINK = 'A'.repeat(43);

describe('an address that the system hands over', () => {
  it.each([
    [`parley://sign-in?link=${LINK}`, `#/sign-in?link=${LINK}`],
    [`parley://sign-in/?link=${LINK}&x=1`, `#/sign-in?link=${LINK}`],
    [`parley://sign-in?link=short`, null],
    [`parley://sign-in?link=${LINK}"><script>`, null],
    [`parley://app/#/settings`, null],
    [`parley://app/?link=${LINK}`, null],
    [`https://sign-in?link=${LINK}`, null],
    ['no address', null],
  ])('%s opens %s', (address, page) => {
    expect(pageOf(address)).toBe(page);
  });

  it('is found among the words of a start', () => {
    expect(pageAmong(['/opt/parley', '--flag', `parley://sign-in?link=${LINK}`])).toBe(`#/sign-in?link=${LINK}`);
    expect(pageAmong(['/opt/parley'])).toBeNull();
  });

  it('takes nobody out of a conversation', () => {
    expect(isTalking('parley://app/#/session/1/call')).toBe(true);
    expect(isTalking('parley://app/#/microphone?next=%2Fsession')).toBe(true);
    expect(isTalking('parley://app/#/history')).toBe(false);
  });
});
