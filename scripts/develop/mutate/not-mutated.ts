import type { babel } from "@stryker-mutator/instrumenter";

type Node = babel.NodePath["node"];

/** Options that make a query cheaper, or safer during a failover. A test on a single server cannot detect them. */
const UNSEEN_OPTIONS = new Set(["projection", "batchSize", "hint", "readConcern", "writeConcern", "maxTimeMS"]);
const TIME_CONSTANT = /_(MS|S|SECONDS|MINUTES|HOURS)$/;
const LOG_METHODS = new Set(["debug", "info", "warn", "error", "fatal"]);

/**
 * Returns why a piece of code is not mutated, or undefined. In addition to these rules, `// Stryker disable next-line all:
 * reason` excludes a single mutant.
 */
export function reasonNotToMutate({ node, parent }: { node: Node; parent?: Node | null }): string | undefined {
  if (isLogLine(node)) return "a log line";
  if (isErrorText(node, parent)) return "the text of an error";
  if (isNameInLog(node, parent)) return "the name of a part of the process in log lines";
  if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && TIME_CONSTANT.test(node.id.name))
    return "a length of time";
  if (isUnseenOption(node)) return "an option that no response shows";
  if (node.type === "ObjectExpression" && node.properties.length > 0 && node.properties.every(isUnseenOption))
    return "options that no response shows";
  return undefined;
}

const isUnseenOption = (node: Node): boolean =>
  node.type === "ObjectProperty" && node.key.type === "Identifier" && UNSEEN_OPTIONS.has(node.key.name);

/** Whether this is a log call, even inside an `if` that contains nothing else, or as a function's only statement. */
function isLogLine(node: Node): boolean {
  if (node.type === "ArrowFunctionExpression") return isLogLine(node.body);
  if (node.type === "IfStatement") return !node.alternate && isLogLine(node.consequent);
  if (node.type === "BlockStatement") return node.body.length > 0 && node.body.every(isLogLine);
  if (node.type === "ExpressionStatement") return isLogLine(node.expression);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  const log = object.type === "MemberExpression" ? object.property : object;
  return isNamed(log, (name) => name === "log") && isNamed(property, (name) => LOG_METHODS.has(name));
}

const isNamed = (node: Node, isSo: (name: string) => boolean): boolean => node.type === "Identifier" && isSo(node.name);

/** Whether this is a string among the arguments of `new SomeError(...)`. Tests check the error's kind, and not each word. */
function isErrorText(node: Node, parent: Node | null | undefined): boolean {
  if (node.type !== "StringLiteral" && node.type !== "TemplateLiteral") return false;
  return (
    parent?.type === "NewExpression" && parent.callee.type === "Identifier" && parent.callee.name.endsWith("Error")
  );
}

/** Whether this is the argument of `onError("redis")`, whose handler logs errors under this name (queues/redis.ts). */
const isNameInLog = (node: Node, parent: Node | null | undefined): boolean =>
  node.type === "StringLiteral" &&
  parent?.type === "CallExpression" &&
  isNamed(parent.callee as Node, (name) => name === "onError");
