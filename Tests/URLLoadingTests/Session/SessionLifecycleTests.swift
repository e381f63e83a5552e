import Testing

@testable import URLLoading

/// The lifecycle of a session, state by event.
@Suite("Session lifecycle")
struct SessionLifecycleTests {
    /// A session with a number of tasks, in a state.
    private func life(
        _ state: SessionLifecycle.State,
        tasks: Int = 1
    ) -> SessionLifecycle {
        var life = SessionLifecycle()
        for _ in 0..<tasks { _ = life.addTask() }
        switch state {
        case .active: break
        case .finishing: _ = life.finishTasks()
        case .invalid: _ = life.detach()
        }
        return life
    }

    @Test("a session numbers tasks from 1, and accepts them while it is active")
    func tasks() {
        for (state, isAccepted) in [
            (SessionLifecycle.State.active, true), (.finishing, false), (.invalid, false),
        ] {
            var life = life(state)
            let task = life.addTask()
            #expect(task.identifier == 2 && task.isAccepted == isAccepted)
            #expect(life.state == state)
        }
    }

    @Test("a session accepts existing tasks until it is invalid")
    func adopted() {
        for (state, isAccepted) in [
            (SessionLifecycle.State.active, true), (.finishing, true), (.invalid, false),
        ] {
            var life = life(state)
            #expect(life.adopt(9) == isAccepted)
            #expect(life.addTask().identifier == (isAccepted ? 10 : 2))
            var counted = self.life(state)
            counted.count(upTo: 9)
            #expect(counted.addTask().identifier == 10)
        }
    }

    @Test("a session that finishes becomes invalid with its last task")
    func finishing() {
        var idle = life(.active, tasks: 0)
        #expect(idle.finishTasks() == true)
        #expect(idle.state == .invalid)
        var busy = life(.active, tasks: 2)
        #expect(busy.finishTasks() == false)
        #expect(busy.state == .finishing)
        #expect(busy.finishTasks() == false)
        #expect(busy.taskEnded() == false)
        #expect(busy.taskEnded() == true)
        #expect(busy.state == .invalid)
        #expect(busy.finishTasks() == false)
    }

    @Test("an active session outlives its tasks")
    func active() {
        var life = life(.active)
        #expect(life.taskEnded() == false)
        #expect(life.state == .active)
    }

    @Test("a task that becomes another one keeps a finishing session")
    func successors() {
        var life = life(.finishing)
        #expect(life.addSuccessor() == 2)
        #expect(life.taskEnded() == false)
        #expect(life.taskEnded() == true)
    }

    @Test("a session that releases its tasks is invalid, once")
    func detached() {
        for (state, isFirst) in [
            (SessionLifecycle.State.active, true), (.finishing, true), (.invalid, false),
        ] {
            var life = life(state)
            #expect(life.detach() == isFirst)
            #expect(life.state == .invalid)
            #expect(life.finishTasks() == false)
        }
    }
}
