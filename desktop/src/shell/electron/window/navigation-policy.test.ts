import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { destinationOf, guardNavigation } from './navigation-policy.ts';

describe('a destination', () => {
  it.each([
    ['parley://app/#/history', 'here'],
    ['https://example.org/help', 'browser'],
    ['http://example.org/', 'nowhere'],
    ['http://127.0.0.1:4831/pay', 'browser'],
    ['http://127.0.0.1.example.org/', 'nowhere'],
    ['https://user:word@example.org/', 'nowhere'],
    ['file:///etc/passwd', 'nowhere'],
    ['smb://example.org/share', 'nowhere'],
    ['ms-msdt:/id', 'nowhere'],
    ['ms-settings:privacy-microphone', 'system'],
    ['ms-settings:privacy-webcam', 'nowhere'],
    ['x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone', 'system'],
    ['x-apple.systempreferences:com.apple.preferences.users', 'nowhere'],
    ['mailto:ines.m+school@parley.example', 'system'],
    ['mailto:ines@parley.example?attach=/etc/passwd', 'nowhere'],
    ['mailto:-x@parley.example', 'nowhere'],
    ['mailto:a@parley.example,b@parley.example', 'nowhere'],
    ['javascript:alert(1)', 'nowhere'],
    ['data:text/html,hello', 'nowhere'],
    ['not an address', 'nowhere'],
  ])('%s is %s', (address, destination) => {
    expect(destinationOf(address)).toBe(destination);
  });
});

class FakeContents extends EventEmitter {
  open: (details: { url: string }) => { action: 'deny' } = () => ({ action: 'deny' });
  setWindowOpenHandler(handler: FakeContents['open']): void {
    this.open = handler;
  }
}

function aGuardedWindow() {
  const contents = new FakeContents();
  const opened: string[] = [];
  guardNavigation(contents, (address) => opened.push(address));
  const navigate = (event: string, url: string, isMainFrame = true): boolean => {
    let prevented = false;
    contents.emit(event, { url, isMainFrame, preventDefault: () => (prevented = true) });
    return !prevented;
  };
  return { contents, opened, navigate };
}

describe('a guarded window', () => {
  it('stays on our page', () => {
    const { navigate, opened } = aGuardedWindow();
    expect(navigate('will-frame-navigate', 'parley://app/#/today')).toBe(true);
    expect(navigate('will-frame-navigate', 'https://example.org/')).toBe(false);
    expect(navigate('will-redirect', 'http://example.org/')).toBe(false);
    expect(navigate('will-redirect', 'ms-settings:privacy-microphone')).toBe(false);
    expect(opened).toEqual(['https://example.org/']);
  });

  it('blocks navigation inside frames and opens nothing for them', () => {
    const { navigate, opened } = aGuardedWindow();
    expect(navigate('will-frame-navigate', 'parley://app/', false)).toBe(false);
    expect(navigate('will-frame-navigate', 'https://example.org/', false)).toBe(false);
    expect(opened).toEqual([]);
  });

  it('opens no second window and no webview', () => {
    const { contents, opened } = aGuardedWindow();
    expect(contents.open({ url: 'https://example.org/' })).toEqual({ action: 'deny' });
    contents.open({ url: 'ms-settings:privacy-microphone' });
    expect(contents.open({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' });
    expect(opened).toEqual(['https://example.org/', 'ms-settings:privacy-microphone']);
    let prevented = false;
    contents.emit('will-attach-webview', { preventDefault: () => (prevented = true) });
    expect(prevented).toBe(true);
  });
});
