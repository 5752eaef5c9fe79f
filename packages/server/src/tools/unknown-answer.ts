/**
 * Stands for an answer that nobody has. It can be handed on and waited for; whoever looks into it gets what `onLook` throws.
 */
export function unknownAnswer(onLook: () => never): object {
  return new Proxy(
    {},
    {
      // A promise that is resolved with it asks whether it is a promise itself.
      get: (_, name) => (name === 'then' ? undefined : onLook()),
      has: onLook,
      ownKeys: onLook,
      getOwnPropertyDescriptor: onLook,
    },
  );
}
