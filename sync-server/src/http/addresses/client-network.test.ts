import { expect, it } from 'vitest';
import { clientNetwork, clientSite } from './client-network.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
  ['2001:0DB8:0001:0002:0:0:0:9', '2001:db8:1:2::'],
  ['2001:db8:1:3::1', '2001:db8:1:3::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::1', '::'],
  ['not an address', 'not an address'],
])('counts %s as %s', (address, caller) => expect(clientNetwork(address)).toBe(caller));

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1::'],
  ['2001:db8:1:ffff::9', '2001:db8:1::'],
  ['2001:db8:2::1', '2001:db8:2::'],
])('the site of %s counts as %s', (address, site) => expect(clientSite(address)).toBe(site));
