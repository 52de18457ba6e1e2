const calls = [
  "get",
  "put",
  "delete",
  "list",
  "createMultipartUpload",
  "uploadPart",
  "complete",
  "abort",
];

/** `fate` decides on each call by its name. */
export function failingBucket(bucket: R2Bucket, fate: (call: string) => unknown): R2Bucket {
  return failing(bucket, fate);
}

function failing<Target extends object>(target: Target, fate: (call: string) => unknown): Target {
  return new Proxy(target, {
    get(_target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      if (!calls.includes(String(name))) return value.bind(target);
      return async (...args: unknown[]) => {
        const decided = fate(`bucket: ${String(name)}`);
        if (decided !== "fine" && decided !== "lost")
          throw new Error(`${String(name)}: ordered to refuse`);
        const answer = await value.apply(target, args);
        if (decided === "lost") throw new Error(`${String(name)}: ordered to lose the response`);
        return name === "createMultipartUpload" ? failing(answer, fate) : answer;
      };
    },
  });
}
