package io.nopanic.stress.model;

import io.nopanic.stress.script.*;
import java.util.List;
public final class ModelCommand {
  public static void main(String[] a) {
    for (Subject sub : List.<Subject>of(new BreakerSubject(false), new BreakerSubject(true), new LimiterSubject(), new BulkheadSubject(), new RetrySubject(), new BudgetSubject())) { if(a.length>1 && !a[1].equals(sub.name())) continue;
    Explorer e = new Explorer(sub);
    long t=System.nanoTime();
    for (long s=0;s<Long.parseLong(a[0]);s++) { var r=e.explore(s,false); if(r.isPresent()){System.out.println(r.get());break;} }
    System.out.println(e.seeds()+" seeds "+e.steps()+" steps "+(System.nanoTime()-t)/1e9+" s\n"+e.tally()+e.tally().missing(e.subject().expected()));
    }
  }
}
