// The driver as a child: questions in, answers out, in their order.

import { spawn } from 'node:child_process';
import readline from 'node:readline';


// Answers by place of the question; undefined where none came.
export async function drive(command, questions) {
    const child = spawn(command[0], command.slice(1),
                        { stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = [];
    let failed;

    child.on('error', (error) => { failed = error; });
    child.stdin.on('error', () => {});
    readline.createInterface({ input: child.stdout }).on('line', (line) => {
        const { id, ...answer } = JSON.parse(line);

        answers[id] = answer;
    });

    const end = new Promise((resolve) => {
        child.on('close', (code, signal) => resolve(signal ?? code));
    });

    for (const [id, question] of questions.entries()) {
        child.stdin.write(JSON.stringify({ id, ...question }) + '\n');
    }

    child.stdin.end();

    const status = await end;

    if (failed) {
        throw failed;
    }

    return { answers, status };
}


// What of an answer counts: no errors are an empty list, and in which order
// data and errors stand is nobody's business.
export function normal(answer) {
    if (answer === undefined) {
        return undefined;
    }

    const { tokens, printed, errors, result, skip } = answer;

    return {
        ...(skip && { skip }), ...(tokens && { tokens }),
        ...(printed !== undefined && { printed }),
        ...(result && { result: { ...('data' in result
                                      && { data: result.data }),
                                  errors: result.errors } }),
        errors: errors ?? []
    };
}


export function same(a, b) {
    return JSON.stringify(normal(a)) === JSON.stringify(normal(b));
}
