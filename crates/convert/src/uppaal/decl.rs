//! Declarations, statements and the system section as text.

use super::expr::Writer;
use dwell_syntax::uppaal::tree::{
    Block, Body, ChannelPriority, Decl, Declarator, Direction, Expr, Function, Import, Initialiser,
    Instantiation, Param, PriorityItem, Select, Stmt, StmtKind, SyncLabel, Syntax, System, Variables,
};

impl Writer {
    /// Ends the current line and begins the next one.
    pub fn line(&mut self) {
        self.push("\n");
        for _ in 0..self.depth {
            self.push("    ");
        }
    }

    /// The declarations of a block: its own text where there is one in the new
    /// syntax, which keeps its comments.
    pub fn block(&mut self, block: &Block, syntax: Syntax) {
        if syntax == Syntax::New && !block.text.trim().is_empty() {
            self.push(&block.text);
        } else {
            self.decls(&block.items);
        }
    }

    /// Declarations, one line each, without a line end after the last.
    pub fn decls(&mut self, items: &[Decl]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.line();
            }
            self.decl(item);
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Variables(variables) => self.variables(variables),
            Decl::Typedef(typedef) => {
                self.push("typedef ");
                self.ty(&typedef.ty);
                self.push(" ");
                self.list(&typedef.names, ", ", |w, d| w.declarator(d));
                self.push(";");
            }
            Decl::Function(function) => self.function(function),
            Decl::Instantiation(instantiation) => self.instantiation(instantiation),
            Decl::ChannelPriority(priority) => self.channel_priority(priority),
            Decl::BeforeUpdate(list, _) => self.hook("before_update", list),
            Decl::AfterUpdate(list, _) => self.hook("after_update", list),
            Decl::Import(import) => self.import(import),
            Decl::Dynamic(name, params, _) => {
                self.push("dynamic ");
                self.push(&name.name);
                self.signature(params);
                self.push(";");
            }
        }
    }

    fn variables(&mut self, variables: &Variables) {
        self.ty(&variables.ty);
        self.push(" ");
        self.list(&variables.names, ", ", |w, (declarator, value)| {
            w.declarator(declarator);
            if let Some(value) = value {
                w.push(" = ");
                w.initialiser(value);
            }
        });
        self.push(";");
    }

    /// A name with its dimensions.
    pub fn declarator(&mut self, declarator: &Declarator) {
        self.push(&declarator.name.name);
        self.dims(&declarator.dims);
    }

    fn initialiser(&mut self, value: &Initialiser) {
        match value {
            Initialiser::Expr(e) => self.expr(e),
            Initialiser::List(list, _) => {
                self.push("{ ");
                self.list(list, ", ", |w, (label, value)| {
                    if let Some(label) = label {
                        w.push(&label.name);
                        w.push(": ");
                    }
                    w.initialiser(value);
                });
                self.push(" }");
            }
        }
    }

    /// Parameters with commas.
    pub fn params(&mut self, params: &[Param]) {
        self.list(params, ", ", |w, param| {
            w.ty(&param.ty);
            w.push(if param.reference { " &" } else { " " });
            w.push(&param.name.name);
            w.dims(&param.dims);
        });
    }

    /// Parameters in parentheses.
    pub fn signature(&mut self, params: &[Param]) {
        self.push("(");
        self.params(params);
        self.push(")");
    }

    fn function(&mut self, function: &Function) {
        self.ty(&function.result);
        self.push(" ");
        self.push(&function.name.name);
        self.signature(&function.params);
        self.push(" ");
        self.body(&function.body);
    }

    fn instantiation(&mut self, instantiation: &Instantiation) {
        self.push(&instantiation.name.name);
        if !instantiation.params.is_empty() {
            self.signature(&instantiation.params);
        }
        self.push(" = ");
        self.push(&instantiation.template.name);
        self.push("(");
        self.exprs(&instantiation.args);
        self.push(");");
    }

    fn channel_priority(&mut self, priority: &ChannelPriority) {
        self.push("chan priority ");
        self.list(&priority.levels, " < ", |w, level| {
            w.list(level, ", ", |w, item| match item {
                PriorityItem::Default(_) => w.push("default"),
                PriorityItem::Channel(channel) => w.expr(channel),
            });
        });
        self.push(";");
    }

    fn hook(&mut self, name: &str, list: &[Expr]) {
        self.push(name);
        self.push(" { ");
        self.exprs(list);
        self.push(" }");
    }

    fn import(&mut self, import: &Import) {
        self.push("import \"");
        self.push(&import.library.replace('\\', "\\\\").replace('"', "\\\""));
        self.push("\" {");
        self.depth += 1;
        for (result, name, params) in &import.functions {
            self.line();
            self.ty(result);
            self.push(" ");
            self.push(&name.name);
            self.signature(params);
            self.push(";");
        }
        self.depth -= 1;
        self.line();
        self.push("};");
    }

    fn body(&mut self, body: &Body) {
        self.push("{");
        self.depth += 1;
        for item in &body.items {
            self.line();
            self.decl(item);
        }
        for statement in &body.stmts {
            self.line();
            self.stmt(statement);
        }
        self.depth -= 1;
        self.line();
        self.push("}");
    }

    fn stmt(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(body) => self.body(body),
            StmtKind::Empty => self.push(";"),
            StmtKind::Expr(e) => {
                self.expr(e);
                self.push(";");
            }
            StmtKind::Assert(e) => {
                self.push("assert ");
                self.expr(e);
                self.push(";");
            }
            StmtKind::For(first, test, step, body) => {
                self.push("for (");
                self.exprs(first);
                self.push("; ");
                self.exprs(test);
                self.push("; ");
                self.exprs(step);
                self.push(")");
                self.nested(body);
            }
            StmtKind::ForEach(name, ty, body) => {
                self.push("for (");
                self.push(&name.name);
                self.push(" : ");
                self.ty(ty);
                self.push(")");
                self.nested(body);
            }
            StmtKind::While(test, body) => {
                self.push("while (");
                self.exprs(test);
                self.push(")");
                self.nested(body);
            }
            StmtKind::DoWhile(body, test) => {
                self.push("do");
                self.nested(body);
                self.line();
                self.push("while (");
                self.exprs(test);
                self.push(");");
            }
            StmtKind::If(test, then, otherwise) => {
                self.push("if (");
                self.exprs(test);
                self.push(")");
                match otherwise {
                    Some(otherwise) => {
                        // The `else` would go to the inner `if`.
                        if open_ended(then) {
                            self.braced(then)
                        } else {
                            self.nested(then)
                        }
                        self.line();
                        self.push("else");
                        if matches!(otherwise.kind, StmtKind::If(..)) {
                            self.push(" ");
                            self.stmt(otherwise);
                        } else {
                            self.nested(otherwise);
                        }
                    }
                    None => self.nested(then),
                }
            }
            StmtKind::Return(value) => {
                self.push("return");
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value);
                }
                self.push(";");
            }
        }
    }

    /// A statement that belongs to the one before: a block on the same line,
    /// anything else on its own.
    fn nested(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Block(_) => {
                self.push(" ");
                self.stmt(statement);
            }
            _ => {
                self.depth += 1;
                self.line();
                self.stmt(statement);
                self.depth -= 1;
            }
        }
    }

    fn braced(&mut self, statement: &Stmt) {
        self.push(" {");
        self.depth += 1;
        self.line();
        self.stmt(statement);
        self.depth -= 1;
        self.line();
        self.push("}");
    }

    /// Select variables with commas.
    pub fn selects(&mut self, list: &[Select]) {
        self.list(list, ", ", |w, select| {
            w.push(&select.name.name);
            w.push(" : ");
            w.ty(&select.ty);
        });
    }

    /// A synchronisation.
    pub fn sync(&mut self, sync: &SyncLabel) {
        self.expr(&sync.channel);
        self.push(match sync.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Csp => "",
        });
    }

    /// The system section.
    pub fn system(&mut self, system: &System, syntax: Syntax) {
        self.block(&system.declarations, syntax);
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.push("\n");
        }
        if !system.levels.is_empty() {
            self.push("system ");
            self.list(&system.levels, " < ", |w, level| w.list(level, ", ", |w, name| w.push(&name.name)));
            self.push(";\n");
        }
        if !system.progress.is_empty() {
            self.push("progress {\n");
            for (guard, measure) in &system.progress {
                self.push("    ");
                if let Some(guard) = guard {
                    self.expr(guard);
                    self.push(" : ");
                }
                self.expr(measure);
                self.push(";\n");
            }
            self.push("}\n");
        }
        if let Some(gantt) = &system.gantt {
            self.push(gantt);
            self.push("\n");
        }
    }
}

/// True where an `else` after a statement would become part of it.
fn open_ended(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::If(_, _, None) => true,
        StmtKind::If(_, _, Some(last))
        | StmtKind::For(_, _, _, last)
        | StmtKind::ForEach(_, _, last)
        | StmtKind::While(_, last) => open_ended(last),
        _ => false,
    }
}
