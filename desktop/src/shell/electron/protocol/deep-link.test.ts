import { describe, expect, it } from 'vitest';
import { showsSession, findLinkedRoute, routeOfLink } from './deep-link.ts';

const LINK = 'A'.repeat(43);

describe('an address passed by the system', () => {
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
    expect(routeOfLink(address)).toBe(page);
  });

  it('is found among the command line arguments', () => {
    expect(findLinkedRoute(['/opt/parley', '--flag', `parley://sign-in?link=${LINK}`])).toBe(`#/sign-in?link=${LINK}`);
    expect(findLinkedRoute(['/opt/parley'])).toBeNull();
  });

  it('does not interrupt a session', () => {
    expect(showsSession('parley://app/#/session/1/call')).toBe(true);
    expect(showsSession('parley://app/#/microphone?next=%2Fsession')).toBe(true);
    expect(showsSession('parley://app/#/session/1')).toBe(true);
    expect(showsSession('parley://app/#/session/1?turnByTurn=true')).toBe(true);
    expect(showsSession('parley://app/#/history')).toBe(false);
  });

  it('may replace the result of one', () => {
    expect(showsSession('parley://app/#/session/1/result')).toBe(false);
    expect(showsSession('parley://app/#/session/1/result?tab=words')).toBe(false);
  });
});
