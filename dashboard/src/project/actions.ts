// Actions of the audit log, by the names that the service gives them: those of
// root fields, and what happens outside of them.

const texts: Record<string, string> = {
    createPrompt: "Create prompt",
    updatePrompt: "Change prompt",
    forkPrompt: "Fork prompt",
    deletePrompt: "Delete prompt",
    transferPrompt: "Transfer prompt",
    importPrompts: "Import prompts",
    createPromptVersion: "Save version",
    setPromptLabel: "Set label",
    removePromptLabel: "Remove label",
    createApiKey: "Create API key",
    deleteApiKey: "Delete API key",
    createProject: "Create project",
    updateProject: "Change project",
    deleteProject: "Delete project",
    inviteMember: "Invite member",
    removeInvitation: "Withdraw invitation",
    acceptInvitation: "Accept invitation",
    setMemberRole: "Change role",
    removeMember: "Remove member",
    setBudget: "Set budget",
    removeBudget: "Remove budget",
    deleteExecution: "Delete execution",
    changePassword: "Change password",
    endSessions: "End sessions",
    signIn: "Sign in",
    signOut: "Sign out",
    signInRefused: "Sign-in refused",
};

export function actionText(action: string): string {
    return texts[action] ?? action;
}

/** What an address may ask for. */
export function isAction(action: string): boolean {
    return /^[A-Za-z][\w ]{0,63}$/.test(action);
}

/** To choose from; chosen: is one of them, whatever it is. */
export function actions(chosen: string) {
    const all = Object.entries(texts).map(([value, text]) => ({ value, text }));

    return chosen === "" || chosen in texts
        ? all
        : [{ value: chosen, text: chosen }, ...all];
}
