/** Names under which a machine reaches itself, and under which nothing leaves it. */

/** `hostname` is as `URL` has it: lower case, IPv4 in four numbers, IPv6 in brackets. */
export const isLoopbackName = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);
